import { type RawBuilder, sql } from 'kysely';
import {
  CREDIT_STATES,
  type CreditState,
  type MemberCredit,
} from '../../../contract/member-states.ts';
import type { Database } from '../../db/database.ts';
import { isoTime } from '../../db/iso-time.ts';
import type { Transaction } from '../../db/transaction.ts';
import { only } from '../changes/change-store.ts';
import { readMemberId } from '../member-id-rules.ts';
import { lineUnavailable } from '../store.ts';

export type Reader = Database['kysely'];

export type DecidedCredit = {
  readonly friend_id: string;
  readonly referrer_id: string;
  readonly before: CreditState;
  readonly after: CreditState;
  readonly earlier: { readonly score: number } | null;
};

export type Decision = {
  readonly friendIds: readonly string[];
  /** Only credits still in these states: somebody may have decided since friends were found. */
  readonly states?: readonly CreditState[] | undefined;
  readonly state: 'given' | 'held' | 'refused';
  readonly decider?: 'operator' | 'bounce';
  readonly needsConfirmation: boolean;
  readonly alsoDecided: boolean;
};

/** `moment` is text, because a Date has no microseconds. */
export type Decided = {
  readonly decided: readonly DecidedCredit[];
  readonly moment: string;
};

export type DecisionPlan = Decided & Omit<Decision, 'friendIds' | 'states'>;

export async function planDecision(reader: Reader, decision: Decision): Promise<DecisionPlan> {
  const { friendIds, states = CREDIT_STATES, ...wanted } = decision;
  const { rows } = await sql<Decided>`
    select clock_timestamp()::text as moment, to_jsonb(array(
      select planned from unnest(
        credits_to_decide(${friendIds}::uuid[], ${wantedArguments(wanted)})) planned
      where ${isInState(states, sql`before`, sql`(earlier->>'holds')::boolean`)})) as decided
  `.execute(reader);
  return { ...wanted, ...only(rows) };
}

/** Leaves out credits that have changed since. Takes the line lock. */
export async function decideCredits(
  transaction: Transaction,
  { decided, moment, ...wanted }: DecisionPlan,
): Promise<Decided> {
  const { rows } = await sql<Pick<Decided, 'decided'>>`
    select to_jsonb(decide_credits(
      ${creditArray(decided)}, ${moment}::timestamptz, ${wantedArguments(wanted)})) as decided
  `.execute(transaction);
  return { moment, ...only(rows) };
}

/** Returns how many credits are as before. Takes the line lock. */
export async function undoDecision(
  transaction: Transaction,
  { decided, moment }: Decided,
): Promise<number> {
  const { rows } = await sql<{ restored: number }>`
    select restore_credits(${creditArray(decided)}, ${moment}::timestamptz) as restored
  `.execute(transaction);
  return only(rows).restored;
}

/** Whether `undoDecision` would restore a credit. */
export async function canUndoDecision(
  transaction: Transaction,
  { decided, moment }: Decided,
): Promise<boolean> {
  const { rows } = await sql`
    select from unnest(${creditArray(decided)}) one
    join member friend on friend.id = one.friend_id and friend.referrer_id is not null
    join credit_case on member_id = one.friend_id and decided_at = ${moment}::timestamptz
    where friend.credit = one.after or one.after = 'pending' and friend.credit in ('given', 'held')
    limit 1
  `.execute(transaction);
  return rows.length > 0;
}

const creditArray = (credits: readonly DecidedCredit[]) => sql`
  array(
    select one from jsonb_populate_recordset(
      null::decided_credit, ${JSON.stringify(credits)}::jsonb) one)`;

const wantedArguments = (wanted: Omit<DecisionPlan, keyof Decided>) => sql`
  ${wanted.state}, ${wanted.decider ?? 'operator'}, ${wanted.needsConfirmation}::boolean,
  ${wanted.alsoDecided}::boolean`;

export type CountChange = Readonly<Record<'sortKey' | 'referrals' | 'by' | 'changedKey', number>>;

export async function readCountChanges(
  reader: Reader,
  changes: ReadonlyMap<string, number>,
): Promise<readonly CountChange[]> {
  const { rows } = await sql<CountChange>`
    select standing.sort_key as "sortKey", standing.referral_count as referrals,
      change.friends as by, sort_key_of(
        sequence, referral_count + change.friends, is_invited, point_adjustment)
        as "changedKey"
    from unnest(${[...changes.keys()]}::uuid[], ${[...changes.values()]}::integer[])
      as change (referrer_id, friends)
    cross join lateral (
      select * from standing where member_id = change.referrer_id offset 0
    ) standing
    cross join lateral (
      select * from member where id = change.referrer_id offset 0
    ) referrer
  `.execute(reader);
  return rows;
}

export type CreditGroup =
  | { readonly code: string }
  | { readonly rule: string }
  | { readonly networkOf: string | null };

export async function findFriends(
  reader: Reader,
  group: CreditGroup,
  { states, limit }: { states: readonly CreditState[]; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select friend.id from ${friendsOf(group)} and
    ${isInState(states, sql`friend.credit`, sql`known.holds`)} limit ${limit}::integer
  `.execute(reader);
  return rows.map(({ id }) => id);
}

/** A pending credit that will be held counts as held, too. */
const isInState = (
  states: readonly CreditState[],
  credit: RawBuilder<unknown>,
  holds: RawBuilder<unknown>,
) => sql`(
  ${credit} = any(${states}::text[])
  or ${credit} = 'pending' and ${holds} and 'held' = any(${states}::text[]))`;

function friendsOf(group: CreditGroup): RawBuilder<unknown> {
  if ('code' in group)
    return sql`member referrer
      join member friend on friend.referrer_id = referrer.id
      left join credit_case known on known.member_id = friend.id
      where referrer.referral_code = ${group.code}`;
  const friendOfCase = sql`
    cross join lateral (select * from member where id = known.member_id offset 0) friend`;
  if ('rule' in group)
    return sql`credit_case known ${friendOfCase} where ${group.rule} = any(known.rules)`;
  return sql`(
      select key_id, narrow from join_trace
      where member_id = ${group.networkOf}::uuid and narrow <> 0
    ) wanted
    cross join credit_case known ${friendOfCase}
    cross join lateral (
      select key_id, narrow from join_trace where member_id = known.member_id offset 0
    ) trace
    where trace.key_id = wanted.key_id and trace.narrow = wanted.narrow`;
}

export async function readCreditOf(
  reader: Reader,
  friendId: string,
): Promise<{ credit: MemberCredit; decided_by: string | null } | null> {
  const row = await reader
    .selectFrom('member')
    .leftJoin('credit_case', 'credit_case.member_id', 'member.id')
    .select(['member.credit', 'credit_case.decided_by'])
    .where('member.id', '=', friendId)
    .executeTakeFirst();
  return row ?? null;
}

export async function askSecondLook({ kysely }: Database, memberId: string): Promise<void> {
  const id = readMemberId(memberId);
  if (id === null) return;
  const insert = sql`
    insert into second_look (member_id)
    select id from read_members(array[${id}::uuid], null) where held_referrals > 0
    on conflict do nothing`;
  await insert.execute(kysely).catch((error: unknown) => {
    throw lineUnavailable(error);
  });
}

export async function readCodeHold({ kysely }: Database, memberId: string): Promise<string | null> {
  const { rows } = await sql<{ since: string }>`
    select ${isoTime(sql`since`)} as since from code_hold where member_id = ${memberId}
  `.execute(kysely);
  return rows[0]?.since ?? null;
}

export async function writeCodeHold(
  transaction: Transaction,
  { memberId, isOnHold }: { memberId: string; isOnHold: boolean },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await (isOnHold
    ? sql`insert into code_hold (member_id) values (${memberId}) on conflict do nothing`
    : sql`delete from code_hold where member_id = ${memberId}`
  ).execute(transaction);
  return numAffectedRows > 0n;
}
