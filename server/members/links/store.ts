import { sql } from 'kysely';
import type { Database, Reader } from '../../db/database.ts';
import { all, column, first, only, run, some } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';
import { queueMails } from '../../line/mails/store.ts';

type Row = Readonly<Record<string, unknown>>;

/** Every table with a `member_id`, by the catalogue, so that no later table is forgotten. */
export async function readRowsOfMember({ kysely }: Database, memberId: string) {
  const member = await first<{ row: Row; friends: number }>(kysely)`
    select to_jsonb(member) - 'referrer_id' as row,
      (select count(*) from member friend where friend.referrer_id = member.id) as friends
    from member where id = ${memberId}
  `;
  if (member === null) return null;
  const { row: own, friends } = member;
  const found: Record<string, readonly Row[]> = { member: [own] };
  const tables = await column<string>(kysely)`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'member_id' order by table_name
  `;
  for (const table of tables) {
    const belonging = await column<Row>(kysely)`
      select to_jsonb(one) - 'member_id' as row
      from ${sql.table(table)} one where one.member_id = ${memberId}
    `;
    if (belonging.length > 0) found[table] = belonging;
  }
  return { own, friends, rows: found };
}

export async function queueLink(transaction: Transaction, memberId: string): Promise<void> {
  await queueMails(transaction, [{ kind: 'status-link', memberId, byOperator: true }]);
  await run(transaction)`
    insert into status_link_sent (member_id, sent_at) values (${memberId}, clock_timestamp())
    on conflict (member_id) do update set sent_at = excluded.sent_at
  `;
}

/** False when a link was mailed to the member in the last ten minutes. */
export function claimLinkMail(transaction: Transaction, memberId: string) {
  return some(transaction)`
    insert into status_link_sent (member_id, sent_at) values (${memberId}, clock_timestamp())
    on conflict (member_id) do update set sent_at = excluded.sent_at
      where status_link_sent.sent_at < excluded.sent_at - interval '10 minutes'
    returning member_id
  `;
}

export function readMailJobs({ kysely }: Database, memberId: string) {
  return all<{
    kind: string;
    state: string;
    outcome: string | null;
    cause: string | null;
    created_on: Date;
    completed_on: Date | null;
  }>(kysely)`select * from read_mails(${memberId})`;
}

export function listGone({ kysely }: Database, ids: readonly string[]) {
  return column<string>(kysely)`
    select id from unnest(${[...ids]}::uuid[]) wanted (id)
    where not exists (select from member where member.id = wanted.id)
  `;
}

export type Erased = Readonly<Record<'id' | 'email' | 'email_identity' | 'referral_code', string>>;

/** A member in line, or one who was removed and could come back. */
export function readErased({ kysely }: Database, id: string) {
  return first<Erased>(kysely)`
    select id, email, email_identity, referral_code from member where id = ${id}
    union all
    select kept.member_id, kept.member->>'email', kept.email_identity,
      kept.member->>'referral_code'
    from removed_member kept where kept.member_id = ${id}
    limit 1
  `;
}

/** `owed`: paid, and neither sent nor handed over; `unaddressed`: those without an address. */
export type HeldMasks = Readonly<Record<'offers' | 'passes' | 'owed' | 'unaddressed', number>>;

export function countHeldMasks({ kysely }: Reader, memberIds: readonly string[]) {
  return only<HeldMasks>(kysely)`
    select count(*) filter (where offer_state(offer) = 'open')::integer as offers,
      count(*) filter (where state = 'accepted')::integer as passes,
      count(*) filter (where state = 'paid')::integer as owed,
      count(*) filter (where state = 'paid' and address is null)::integer as unaddressed
    from offer left join parcel on offer_id = offer.id
    where offer.member_id = any(${[...memberIds]}::uuid[])
  `;
}

export type OfferHolder = {
  readonly id: string;
  readonly mailbox: string | null;
  readonly has_offer: boolean;
};

export function readOfferHolders({ kysely }: Database, ids: readonly string[]) {
  return all<OfferHolder>(kysely)`
    select id, mailbox,
      exists (select from offer where offer.member_id = member.id) as has_offer
    from unnest(${ids}::uuid[]) wanted (id) join member using (id)
  `;
}
