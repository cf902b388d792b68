import type {
  FirstInLine,
  FirstMember,
  FirstRequest,
} from '../../../contract/operator/credits/first-in-line.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import { type FirstMember as Entrant, readFirst } from '../../drop/steps/drop-store.ts';
import { listSizes } from '../../drop/stock/store.ts';
import { getChanging } from '../../line/changes/change-store.ts';
import { readMembers } from '../../members/list/read-members.ts';
import { membersOf } from '../../members/list/sheet-store.ts';
import type { CreditOptions } from '../decide-change.ts';
import { describeFriends } from './first-rules.ts';
import { findOpenDomains, readCounts, readFriends } from './first-store.ts';

const DEFAULT_FIRST = 150;
/** The embedded engine blocks on a statement, so this many members are read at a time. */
const STEP = 10;

export async function listFirst(
  options: CreditOptions,
  { first = String(DEFAULT_FIRST) }: FirstRequest,
): Promise<FirstInLine> {
  const { database, config } = options;
  const found = await readFirst(database.kysely, {
    first: Math.min(Number(first), await countWanted(database)),
    referralCredit: config.referralCredit,
  });
  const members: FirstMember[] = [];
  for (let from = 0; from < found.length; from += STEP) {
    members.push(...(await describe(options, found.slice(from, from + STEP), from)));
  }
  return {
    members: members.toSorted((a, b) => b.suspicion.score - a.suspicion.score || a.place - b.place),
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
): Promise<FirstMember[]> {
  const ids = found.map(({ member_id: id }) => id);
  const listed = await readMembers(database, brand, membersOf(ids), ids.length);
  const memberOf = new Map(listed.map(({ member }) => [member.id, member]));
  const countsOf = new Map((await readCounts(database, ids)).map((row) => [row.id, row]));
  const read = await readFriends(database, ids);
  const friendsOf = Map.groupBy(read, ({ referrerId }) => referrerId);
  const open = await findOpenDomains(database, [...new Set(read.map(({ domain }) => domain))]);
  return found.flatMap(({ member_id: id, credits }, index) => {
    const member = memberOf.get(id);
    const counts = countsOf.get(id);
    if (member === undefined || counts === undefined) return [];
    const friends = (friendsOf.get(id) ?? []).map((friend) => ({
      ...friend,
      isOpen: open.has(friend.domain),
    }));
    const { chain, looked, is_on_hold } = counts;
    return {
      ...{ member, place: before + index + 1, read: friends.length, chain, looked, is_on_hold },
      friends: { ...counts.friends, counting: credits },
      ...describeFriends(friends, chain),
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
