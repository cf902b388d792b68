import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Brand } from '../../../brand/brand-shape.ts';
import type { TopInviters, TopInvitersRequest } from '../../../contract/operator/inviters.ts';
import type { Database } from '../../db/database.ts';
import { DAY_MS } from '../../durations.ts';
import { SOURCELESS } from '../../line/sources/source-rules.ts';
import { readFilter } from './filter-rules.ts';
import {
  type BroughtFriends,
  countBrought,
  type JoinKey,
  readSourcesById,
} from './inviter-store.ts';
import { readMembers } from './read-members.ts';
import { membersOf } from './sheet-store.ts';

const SHOWN = 20;
const DEFAULT_MS = 7 * DAY_MS;
const STEP = 2_000;

type Counts = { friends: number; waiting: number };
type Brought = Counts & { readonly sources: Map<number, Counts> };

export async function listTopInviters(
  { database, brand }: { readonly database: Database; readonly brand: Pick<Brand, 'tiers'> },
  request: TopInvitersRequest,
  now = Date.now(),
): Promise<TopInviters> {
  const asked = readFilter(request, []);
  const joinedTo = asked.joinedTo ?? new Date(now);
  const joinedFrom = asked.joinedFrom ?? new Date(joinedTo.getTime() - DEFAULT_MS);
  const criteria = { ...asked, joinedFrom, joinedTo };
  const inviters = new Map<string, Brought>();
  let after: JoinKey | null = null;
  do {
    const step = await countBrought(database, { criteria, after, members: STEP });
    for (const found of step.brought) add(inviters, found);
    after = step.last;
    await nextTurn();
  } while (after !== null);

  const top = [...inviters].toSorted(([, a], [, b]) => compare(a, b)).slice(0, SHOWN);
  const ids = top.map(([id]) => id);
  const found = await readMembers(database, brand, membersOf(ids), SHOWN);
  const members = new Map(found.map(({ member }) => [member.id, member]));
  const sourceRows = await readSourcesById(
    database,
    top.flatMap(([, { sources }]) => [...sources.keys()]),
  );
  return {
    joined_from: joinedFrom.toISOString(),
    joined_to: joinedTo.toISOString(),
    inviters: top.flatMap(([id, { friends, waiting, sources }]) => {
      const member = members.get(id);
      if (member === undefined) return [];
      const named = [...sources]
        .toSorted(([, a], [, b]) => compare(a, b))
        .map(([sourceId, counts]) => ({ ...(sourceRows.get(sourceId) ?? SOURCELESS), ...counts }));
      return [{ member, friends, waiting, sources: named }];
    }),
  };
}

function add(inviters: Map<string, Brought>, found: BroughtFriends): void {
  const brought = inviters.get(found.inviterId) ?? { ...NOTHING, sources: new Map() };
  const source = brought.sources.get(found.sourceId) ?? { ...NOTHING };
  inviters.set(found.inviterId, brought);
  brought.sources.set(found.sourceId, source);
  for (const sums of [brought, source]) {
    sums.friends += found.friends;
    sums.waiting += found.waiting;
  }
}

const NOTHING: Readonly<Counts> = { friends: 0, waiting: 0 };
const compare = (a: Counts, b: Counts) => b.friends - a.friends || b.waiting - a.waiting;
