/** The state of notifications. Rows of members are locked before the rows that refer to them. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { all, only, run, value } from '../db/rows.ts';
import type { Transaction } from '../db/transaction.ts';
import type { LastNotified, Top100Change } from './notification-rules.ts';

const NOTIFICATION_LOCK = 7_402_114_391;

/** Runs `work` in a transaction; null, without waiting, while another server holds the lock. */
export async function withNotificationLock<T>(
  { kysely }: Database,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T | null> {
  return await kysely.transaction().execute(async (transaction) => {
    const isLocked = await value<boolean>(transaction)`
      select pg_try_advisory_xact_lock(${NOTIFICATION_LOCK}::bigint) as is_locked
    `;
    return isLocked ? await work(transaction) : null;
  });
}

/** Skips members being credited or removed. Lock before writing: joins could deadlock. */
export async function lockMembers(
  transaction: Transaction,
  memberIds: readonly string[],
): Promise<Set<string>> {
  const rows = await all<{ id: string }>(transaction)`
    select member.id from member join standing on standing.member_id = member.id
    where member.id = any(${memberIds}::uuid[]) for share skip locked
  `;
  return new Set(rows.map((row) => row.id));
}

type CreditedMember = {
  readonly memberId: string;
  readonly email: string;
  readonly referralCount: number;
  readonly lastNotified: LastNotified;
};

export async function lockCreditedMembers(
  transaction: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<CreditedMember[]> {
  return await readCredited(
    transaction,
    sql`notification_due.due_after <= ${now}
    order by notification_due.due_after
    limit ${limit}
    for share of member, standing skip locked`,
  );
}

/** Members who became due in this transaction, of which a savepoint would hide some. */
export async function readCreditedSince(transaction: Transaction): Promise<CreditedMember[]> {
  return await readCredited(
    transaction,
    sql`notification_due.due_after = '-infinity'
      and notification_due.xmin = pg_current_xact_id()::xid`,
  );
}

async function readCredited(
  transaction: Transaction,
  condition: RawBuilder<unknown>,
): Promise<CreditedMember[]> {
  type Row = Omit<CreditedMember, 'lastNotified'> &
    Omit<LastNotified, 'referralCount'> & { readonly notifiedCount: number };
  const rows = await all<Row>(transaction)`
    select member.id as "memberId", member.email, standing.referral_count as "referralCount",
      notification_state.friends_notified_at as "friendsAt",
      coalesce(notification_state.referral_count, 0) as "notifiedCount",
      coalesce(notification_state.tier_level, 0) as "tierLevel"
    from notification_due
    join standing on standing.member_id = notification_due.member_id
    join member on member.id = notification_due.member_id
    left join notification_state on notification_state.member_id = member.id
    where ${condition}
  `;
  return rows.map(({ memberId, email, referralCount, notifiedCount, ...last }) => ({
    memberId,
    email,
    referralCount,
    lastNotified: { ...last, referralCount: notifiedCount },
  }));
}

/** By then nobody is likely to undo a change any more. */
const UNDO_UNLIKELY_AFTER = sql`interval '1 hour'`;

export async function postponeCredits(
  transaction: Transaction,
  members: readonly { readonly memberId: string }[],
): Promise<void> {
  if (members.length === 0) return;
  await run(transaction)`
    update notification_due set due_after = now() + ${UNDO_UNLIKELY_AFTER}
    where member_id = any(${members.map(({ memberId }) => memberId)}::uuid[])
  `;
}

export async function postponeTop100(
  transaction: Transaction,
  members: readonly { readonly memberId: string }[],
): Promise<void> {
  if (members.length === 0) return;
  await run(transaction)`
    insert into notification_state (member_id, top100_due_at)
    select id, now() + ${UNDO_UNLIKELY_AFTER}
    from unnest(${members.map(({ memberId }) => memberId)}::uuid[]) moved (id)
    on conflict (member_id) do update set top100_due_at = excluded.top100_due_at
  `;
}

export async function writeCreditsNotified(
  transaction: Transaction,
  members: readonly { memberId: string; lastNotified: LastNotified; dueAt: Date | null }[],
): Promise<void> {
  const rows = members.map(({ memberId, lastNotified, dueAt }) => ({
    member_id: memberId,
    referral_count: lastNotified.referralCount,
    friends_notified_at: lastNotified.friendsAt,
    tier_level: lastNotified.tierLevel,
    due_at: dueAt,
  }));
  const recordset = sql`json_to_recordset(${JSON.stringify(rows)}) as decided (
    member_id uuid, referral_count integer, friends_notified_at timestamptz, tier_level integer,
    due_at timestamptz)`;
  await run(transaction)`
    insert into notification_state (member_id, referral_count, friends_notified_at, tier_level)
    select member_id, referral_count, friends_notified_at, tier_level from ${recordset}
    on conflict (member_id) do update set referral_count = excluded.referral_count,
      friends_notified_at = excluded.friends_notified_at, tier_level = excluded.tier_level
  `;
  await run(transaction)`
    merge into notification_due using ${recordset}
      on decided.member_id = notification_due.member_id
    when matched and decided.due_at is null then delete
    when matched then update set due_after = decided.due_at
  `;
}

export function readSequences(transaction: Transaction) {
  return only<{ next: number; last: number }>(transaction)`
    select line_state.next_sequence as next, top100_cursor.next_sequence as last
    from line_state, top100_cursor
  `;
}

export function findTop100Changes(
  transaction: Transaction,
  { maskCount, newFrom }: { maskCount: number; newFrom: number },
) {
  return all<Top100Change & { email: string }>(transaction)`
    select changed.id as "memberId", member.email, changed.is_inside as "isInside",
      member.sequence >= ${newFrom} as "isNew",
      notification_state.top100_notified_at as "lastNotifiedAt",
      notification_state.top100_due_at as "dueAt"
    from (
      select coalesce(top.id, top100_notified.member_id) as id, top.id is not null as is_inside
      from (select member_id as id from standing order by sort_key limit ${maskCount}) top
      full join top100_notified on top100_notified.member_id = top.id
      where top.id is null or top100_notified.member_id is null
    ) changed
    join member on member.id = changed.id
    left join notification_state on notification_state.member_id = changed.id
  `;
}

export async function writeTop100States(
  transaction: Transaction,
  { changes, now }: { changes: readonly Top100Change[]; now: Date },
): Promise<void> {
  const idsOf = (some: readonly Top100Change[]) =>
    sql`unnest(${some.map(({ memberId }) => memberId)}::uuid[])`;
  await run(transaction)`
    insert into notification_state (member_id, top100_notified_at)
    select member_id, ${now} from ${idsOf(changes)} notified (member_id)
    on conflict (member_id) do update set top100_notified_at = excluded.top100_notified_at
  `;
  await run(transaction)`
    insert into top100_notified (member_id)
    select member_id from ${idsOf(changes.filter(({ isInside }) => isInside))} entered (member_id)
  `;
  await run(transaction)`
    delete from top100_notified
    using ${idsOf(changes.filter(({ isInside }) => !isInside))} departed (member_id)
    where top100_notified.member_id = departed.member_id
  `;
}

export function writeSequence(transaction: Transaction, next: number) {
  return run(transaction)`update top100_cursor set next_sequence = ${next}`;
}
