import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { isoRow } from '../../db/iso-time.ts';
import { all, first, found, only, run, some, value } from '../../db/rows.ts';
import type { Tables } from '../../db/schema/tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { readEmail } from '../../mail/email-rules.ts';
import { Problem } from '../../problem.ts';
import type { FriendChange } from '../line-rules.ts';
import { readMemberId } from '../member-id-rules.ts';

export type Removal = {
  readonly removed: number;
  readonly kept: number;
  readonly friends: number;
  readonly referrers: readonly { readonly referrals: number; readonly lost: number }[];
};

/** Friends stay, without a referrer. `restoreMembers` needs `kept`; null stores nothing. */
export function removeMembers(
  transaction: Transaction,
  ids: readonly string[],
  kept: { readonly removalId: string; readonly until: Date } | null,
) {
  return value<Removal>(transaction)`
    select remove_members(
      ${ids}::uuid[], ${kept?.removalId ?? null}::uuid, ${kept?.until ?? null}::timestamptz)
      as removal
  `;
}

/** Members whose address is in line again are left out, and mails stay deleted. */
export async function restoreMembers(
  transaction: Transaction,
  removalId: string,
): Promise<{ restored: number; leftOut: number }> {
  const row = await only<{ result: { restored: number; left_out: number } }>(transaction)`
    select restore_members(${removalId}::uuid) as result
  `;
  const { restored, left_out: leftOut } = row.result;
  return { restored, leftOut };
}

/** Whether `restoreMembers` would restore a member. */
export function canRestoreAny(transaction: Transaction, removalId: string) {
  return some(transaction)`
    select from removed_member kept
    where removal = ${removalId}::uuid
      and not exists (select from member where email_identity = kept.email_identity)
      and not exists (select from member where referral_code = kept.member->>'referral_code')
    limit 1
  `;
}

/** Call it before locking the line: others hold these rows for long, and could deadlock. */
export function deleteMails(transaction: Transaction, ids: readonly string[]) {
  return run(transaction)`select delete_mails(${ids}::uuid[])`;
}

export async function deleteRemovedUntil(transaction: Transaction, moment: Date): Promise<void> {
  await run(transaction)`
    select forget_in_texts(array_agg(member)) from removed_member where until <= ${moment}
    having count(*) > 0
  `;
  await run(transaction)`delete from removed_member where until <= ${moment}`;
}

export async function findErasable(
  transaction: Transaction,
  text: string,
): Promise<{ readonly id: string; readonly isInLine: boolean }> {
  const stored = await first<{ id: string; isInLine: boolean }>(transaction)`
    select id, "isInLine" from (
      select id, email_identity, true as "isInLine", 'infinity'::timestamptz as until from member
      union all
      select member_id, email_identity, false, until from removed_member
    ) stored
    where id = ${readMemberId(text.trim())}::uuid
      or email_identity = ${readEmail(text)?.identity ?? null}
    order by until desc limit 1
  `;
  if (stored !== null) return stored;
  throw new Problem(
    'unknown_member',
    'Nobody with this id or address is in line, and nothing is kept about a removed member.',
  );
}

type StoredAddress = Pick<
  Selectable<Tables['member']>,
  'email' | 'email_identity' | 'confirmed_at' | 'mailbox' | 'key_hash'
>;

export type ChangingMember = StoredAddress &
  Pick<Selectable<Tables['member']>, 'id' | 'point_adjustment' | 'is_invited'> &
  Pick<Selectable<Tables['standing']>, 'sort_key' | 'referral_count'>;

export function readChanging(transaction: Transaction, ids: readonly string[]) {
  return all<ChangingMember>(transaction)`
    select id, email, email_identity, confirmed_at, mailbox, key_hash, point_adjustment,
      is_invited, sort_key, referral_count
    from member join standing on member_id = id where id = any(${ids}::uuid[]) order by sort_key
  `;
}

export async function getChanging(
  transaction: Transaction,
  memberId: string,
): Promise<ChangingMember> {
  const id = readMemberId(memberId);
  const [member] = id === null ? [] : await readChanging(transaction, [id]);
  if (member === undefined)
    throw new Problem('unknown_member', 'No member in line has this id: they may have left.');
  return member;
}

export async function countLosses(
  transaction: Transaction,
  ids: readonly string[],
): Promise<Map<string, FriendChange>> {
  const rows = await all<{ referrer_id: string } & FriendChange>(transaction)`
    select referrer_id, -count(confirmed_at)::integer as confirmed,
      (count(confirmed_at) - count(*))::integer as unconfirmed
    from member
    where id = any(${ids}::uuid[]) and credit = 'given' and referrer_id <> all(${ids}::uuid[])
    group by referrer_id
  `;
  return new Map(rows.map(({ referrer_id: id, ...friends }) => [id, friends]));
}

export function countFriendsOf(transaction: Transaction, ids: readonly string[]) {
  return value<number>(transaction)`
    select count(*) as friends from member
    where referrer_id = any(${ids}::uuid[]) and id <> all(${ids}::uuid[])
  `;
}

export async function readPositionsAt(
  reader: Database['kysely'],
  keys: readonly number[],
): Promise<{ total: number; positionAt: Map<number, number> }> {
  const rows = await all<{ key: number; position: number }>(reader)`
    select key, own.position from unnest(${keys}::bigint[]) key
    cross join lateral position_of(key) own
  `;
  return {
    total: await value<number>(reader)`select total from line_state`,
    positionAt: new Map(rows.map(({ key, position }) => [key, position])),
  };
}

export async function writeAdjustment(
  transaction: Transaction,
  { id, by }: { id: string; by: number },
): Promise<number> {
  await run(transaction)`
    update member set point_adjustment = point_adjustment + ${by}::integer where id = ${id}::uuid
  `;
  return await value<number>(transaction)`
    update standing
    set sort_key = sort_key_of(sequence, referral_count, is_invited, point_adjustment)
    from member where member_id = ${id}::uuid and member.id = member_id
    returning sort_key
  `;
}

export function findIdBy(
  transaction: Transaction,
  column: 'email_identity' | 'key_hash' | 'referral_code',
  text: string,
) {
  return found<string>(transaction)`select id from member where ${sql.ref(column)} = ${text}`;
}

export async function writeAddress(
  transaction: Transaction,
  id: string,
  address: StoredAddress,
): Promise<void> {
  await run(transaction)`
    select forget_in_texts(array[to_jsonb(member)]) from member where id = ${id}::uuid
  `;
  await transaction
    .updateTable('member')
    .set({
      ...address,
      proved_mailbox: null,
      proved_name: null,
      other_inviters: sql`
        case email_identity when ${address.email_identity} then other_inviters end`,
    })
    .where('id', '=', id)
    .execute();
}

/** Credits a member again whose address of before has confirmed: the other had several codes. */
export function creditConfirmed(transaction: Transaction, id: string) {
  return run(transaction)`
    select set_credits(array[id], 'given') from member
    where id = ${id}::uuid and credit = 'pending' and confirmed_at is not null
  `;
}

/** Counts a friend among those who have confirmed, or with -1 among those who have not. */
export function moveCredit(transaction: Transaction, id: string, by: number) {
  return run(transaction)`
    select credit_referrers(array[referrer_id], array[${by}::integer], array[${-by}::integer])
    from member where id = ${id}::uuid and credit = 'given'
  `;
}

export type Pause = { readonly message: string; readonly since: string };

export async function readPause(reader: Database['kysely']): Promise<Pause | null> {
  const row = await first<{ message: string; since: Date }>(reader)`
    select pause_message as message, paused_at as since from line_state
    where pause_message is not null
  `;
  return row && isoRow(row);
}

export async function writePause(
  transaction: Transaction,
  pause: Pause | null,
): Promise<Pause | null> {
  const before = await readPause(transaction);
  await run(transaction)`
    update line_state set pause_message = ${pause?.message ?? null},
      paused_at = ${pause?.since ?? null}::timestamptz
  `;
  return before;
}
