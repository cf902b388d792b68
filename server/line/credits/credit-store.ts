import { type RawBuilder, sql } from 'kysely';
import {
  CREDIT_STATES,
  type CreditState,
  type MemberCredit,
} from '../../../contract/member-states.ts';
import type { Database } from '../../db/database.ts';
import { all, column, first, only, some, value } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { FriendChange } from '../line-rules.ts';

export type Reader = Database['kysely'];

export type DecidedCredit = {
  readonly friend_id: string;
  readonly referrer_id: string;
  readonly before: CreditState;
  readonly after: CreditState;
  readonly is_confirmed: boolean;
  /** The decision before; null: there was none. */
  readonly earlier: object | null;
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
  const row = await only<Decided>(reader)`
    select clock_timestamp()::text as moment, to_jsonb(array(
      select planned from unnest(
        credits_to_decide(${friendIds}::uuid[], ${wantedArguments(wanted)})) planned
      where before = any(${states}::text[]))) as decided
  `;
  return { ...wanted, ...row };
}

/** Leaves out credits that have changed since. Takes the line lock. */
export async function decideCredits(
  transaction: Transaction,
  { decided, moment, ...wanted }: DecisionPlan,
): Promise<Decided> {
  const row = await only<Pick<Decided, 'decided'>>(transaction)`
    select to_jsonb(decide_credits(
      ${creditArray(decided)}, ${moment}::timestamptz, ${wantedArguments(wanted)})) as decided
  `;
  return { moment, ...row };
}

/** Returns how many credits are as before. Takes the line lock. */
export function undoDecision(transaction: Transaction, { decided, moment }: Decided) {
  return value<number>(transaction)`
    select restore_credits(${creditArray(decided)}, ${moment}::timestamptz) as restored
  `;
}

/** Whether `undoDecision` would restore a credit. */
export function canUndoDecision(transaction: Transaction, { decided, moment }: Decided) {
  return some(transaction)`
    select from unnest(${creditArray(decided)}) one
    join member friend on friend.id = one.friend_id and friend.referrer_id is not null
    join credit_case on member_id = one.friend_id and decided_at = ${moment}::timestamptz
    where friend.credit = one.after or one.after = 'pending' and friend.credit = 'given'
    limit 1
  `;
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
  changes: ReadonlyMap<string, FriendChange>,
): Promise<readonly CountChange[]> {
  const friends = [...changes.values()];
  return await all<CountChange>(reader)`
    select standing.sort_key as "sortKey", standing.referral_count as referrals,
      changed.referrals - standing.referral_count as by, sort_key_of(
        sequence, changed.referrals, is_invited, point_adjustment) as "changedKey"
    from unnest(
      ${[...changes.keys()]}::uuid[], ${friends.map(({ confirmed }) => confirmed)}::integer[],
      ${friends.map(({ unconfirmed }) => unconfirmed)}::integer[])
      as change (referrer_id, confirmed, unconfirmed)
    cross join lateral (
      select * from standing where member_id = change.referrer_id offset 0
    ) standing
    cross join lateral (
      select * from member where id = change.referrer_id offset 0
    ) referrer
    cross join lateral (
      select standing.referral_count - counting_friends(0, standing.unconfirmed)
        + counting_friends(change.confirmed, standing.unconfirmed + change.unconfirmed)
        as referrals
    ) changed
  `;
}

/** Friends of a code, of a domain with those below it, and from the network of a friend. */
export type CreditGroup = {
  readonly code: string | null;
  readonly domain: string | null;
  readonly networkOf: string | null;
};

export function findFriends(
  reader: Reader,
  group: CreditGroup,
  { states, limit }: { states: readonly CreditState[]; limit: number },
) {
  return column<string>(reader)`
    select friend.id from ${friendsOf(group)}
      and friend.credit = any(${states}::text[]) limit ${limit}::integer
  `;
}

function friendsOf({ code, domain, networkOf }: CreditGroup): RawBuilder<unknown> {
  const from =
    networkOf === null
      ? sql`member friend`
      : sql`
        (
          select network from join_trace where member_id = ${networkOf}::uuid
        ) wanted
        join join_trace trace on trace.network = wanted.network
        join member friend on friend.id = trace.member_id`;
  return sql`${from} where friend.referrer_id ${
    code === null ? sql`is not null` : sql`= (select id from member where referral_code = ${code})`
  } and ${
    domain === null
      ? sql`true`
      : sql`right('.' || split_part(friend.email_identity, '@', 2), ${domain.length + 1})
          = ${`.${domain}`}`
  }`;
}

export function readCreditOf(reader: Reader, friendId: string) {
  return first<{ credit: MemberCredit; decided_by: string | null }>(reader)`
    select credit, decided_by from member left join credit_case on member_id = id
    where id = ${friendId}
  `;
}
