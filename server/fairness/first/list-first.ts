import type {
  FirstInLine,
  FirstMember,
  FirstRequest,
} from '../../../contract/operator/first-in-line.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import { type FirstMember as Entrant, readFirst } from '../../drop/entrant-store.ts';
import { listSizes } from '../../drop/stock/store.ts';
import { getChanging } from '../../line/changes/change-store.ts';
import { readMembers } from '../../members/list/read-members.ts';
import { membersOf } from '../../members/list/sheet-store.ts';
import type { CreditOptions } from '../decide-change.ts';
import { countAlike, groupPeople } from './first-rules.ts';
import { readCounts, readFriends, readPeople } from './first-store.ts';

const DEFAULT_FIRST = 150;
/** The embedded engine blocks on a statement, so this many members are read at a time. */
const STEP = 10;

type Described = Omit<FirstMember, 'stands_with' | 'alike'>;

export async function listFirst(
  options: CreditOptions,
  { first = String(DEFAULT_FIRST) }: FirstRequest,
): Promise<FirstInLine> {
  const { database } = options;
  const wanted = Math.min(Number(first), await countWanted(database));
  const found = await readFirst(database.kysely, wanted);
  const described: Described[] = [];
  for (let from = 0; from < found.length; from += STEP)
    described.push(...(await describe(options, found.slice(from, from + STEP), from)));
  const people = await readPeople(
    database,
    described.map(({ member }) => member.id),
  );
  const groups = groupPeople(people, ['code', 'domain', 'network']);
  const members = described.map((row) => {
    const standsWith = groups.filter(({ member_ids: ids }) => ids.includes(row.member.id));
    const alike = countAlike([...standsWith, ...row.friend_groups]);
    return { ...row, stands_with: standsWith, alike };
  });
  return {
    members: members.toSorted((a, b) => b.alike - a.alike || a.place - b.place),
    looked: members.filter(({ looked }) => looked !== null).length,
  };
}

async function countWanted(database: Database): Promise<number> {
  const sizes = await listSizes(database);
  const masks = sizes.reduce((sum, { available }) => sum + Math.max(0, available), 0);
  return masks === 0 ? DEFAULT_FIRST : 2 * masks;
}

async function describe(
  { database, brand }: CreditOptions,
  found: readonly Entrant[],
  before: number,
): Promise<Described[]> {
  const ids = found.map(({ member_id: id }) => id);
  const listed = await readMembers(database, brand, membersOf(ids), ids.length);
  const memberOf = new Map(listed.map(({ member }) => [member.id, member]));
  const countsOf = new Map((await readCounts(database, ids)).map((row) => [row.id, row]));
  const friends = await readFriends(database, ids);
  const friendsOf = Map.groupBy(friends, ({ referrerId }) => referrerId);
  return found.flatMap(({ member_id: id, credits }, index) => {
    const member = memberOf.get(id);
    const counts = countsOf.get(id);
    if (member === undefined || counts === undefined) return [];
    return {
      member,
      place: before + index + 1,
      looked: counts.looked,
      invited_by: counts.invited_by,
      friends: { ...counts.friends, counting: credits },
      friend_groups: [...groupPeople(friendsOf.get(id) ?? [], ['domain', 'network'])],
    };
  });
}

/** The audit log keeps who looked, and when: it is read from there. */
export const lookAtMemberOperation: Operation<'look-at-member'> = {
  lock: null,
  async apply(transaction, { member_id: memberId }) {
    const { id, email } = await getChanging(transaction, memberId);
    return {
      sentences: [`${email} is marked as looked at.`],
      summary: 'A member was looked at before the freeze.',
      subject: { kind: 'member', id },
      undo: { id },
    };
  },
  undo: async () => ({ summary: 'A member is marked as not looked at.' }),
};
