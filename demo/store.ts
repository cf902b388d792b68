import { type Selectable, sql } from 'kysely';
import type { Database } from '../server/db/database.ts';
import type { FeatureTables, OfferRow as StoredOffer } from '../server/db/schema/feature-tables.ts';
import { KEEP_UNDELIVERED_S, MAIL_QUEUE } from '../server/db/schema/queue-schema.ts';
import { inTransaction } from '../server/db/transaction.ts';
import { readNextEntrants } from '../server/drop/offers/offer-store.ts';
import { sumHeld } from '../server/drop/stock/size-rules.ts';
import { listSizes } from '../server/drop/stock/store.ts';
import { decideCredits, planDecision } from '../server/line/credits/credit-store.ts';
import type { SuppressionReason } from '../server/mail/suppression/store.ts';

/** All entrants are drawn when they are read. */
export type EntrantRow = Selectable<FeatureTables['entrant']> & { readonly draw_order: number };
export type OfferRow = StoredOffer & { readonly email: string };
export type MailRow = {
  readonly kind: string;
  readonly member_id: string;
  readonly outcome: string | null;
  readonly queued_at: Date;
  readonly email: string;
  readonly suppression: SuppressionReason | null;
};

export async function confirmAll({ kysely }: Database, ids: readonly string[]): Promise<void> {
  await sql`select confirm_member(id) from unnest(${ids}::uuid[]) id`.execute(kysely);
}

/** Holds the credits for these friends, in the name of an operator. */
export async function holdCredits(database: Database, friendIds: readonly string[]): Promise<void> {
  const wanted = { friendIds, state: 'held', needsConfirmation: false, alsoDecided: true } as const;
  const plan = await planDecision(database.kysely, wanted);
  await inTransaction(database, (transaction) => decideCredits(transaction, plan));
}

/** Ids of members who have confirmed their address, and so get news. */
export async function readConfirmed({ kysely }: Database): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from member where confirmed_at is not null
  `.execute(kysely);
  return new Set(rows.map(({ id }) => id));
}

/** The checks count the mails of a week, while sent ones are usually deleted after three days. */
export async function keepMails({ kysely }: Database): Promise<void> {
  await sql`
    update pgboss.queue set deletion_seconds = ${KEEP_UNDELIVERED_S} where name = ${MAIL_QUEUE}
  `.execute(kysely);
}

/** With why an address gets no mail, or null where it gets all. */
export async function readMails({ kysely }: Database, since: Date): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select data->>'kind' as kind, data->>'memberId' as member_id, output->>'outcome' as outcome,
      created_on as queued_at, coalesce(email, '') as email, reason as suppression
    from pgboss.job
    left join member on member.id = (data->>'memberId')::uuid
    left join mail_suppression on member_id = member.id
    where name = ${MAIL_QUEUE} and created_on >= ${since} order by created_on
  `.execute(kysely);
  return rows;
}

export async function hasUnsentMail({ kysely }: Database): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from pgboss.job where name = ${MAIL_QUEUE} and state < 'completed')
      or exists (select from mail_outbox)
      or exists (select from campaign where state = 'sending') as has
  `.execute(kysely);
  return rows[0]?.has ?? false;
}

export async function readMemberIds({ kysely }: Database): Promise<string[]> {
  const rows = await kysely.selectFrom('member').select('id').orderBy('sequence').execute();
  return rows.map(({ id }) => id);
}

export async function readEntrants({ kysely }: Database): Promise<EntrantRow[]> {
  return (await sql<EntrantRow>`select * from entrant order by draw_order`.execute(kysely)).rows;
}

export async function readOffers({ kysely }: Database): Promise<OfferRow[]> {
  const { rows } = await sql<OfferRow>`
    select offer.*, coalesce(member.email, '') as email
    from offer left join member on member.id = member_id order by offered_at, offer.id
  `.execute(kysely);
  return rows;
}

/** How many masks are free for somebody who follows: others may take none of the sizes left. */
export async function countOfferable(database: Database, number: number): Promise<number> {
  const free = (await listSizes(database)).filter(({ held }) => held > 0);
  const sizes = free.map(({ name }) => name);
  const wanted = { number, sizes, among: 'all', limit: sumHeld(free) } as const;
  return (await inTransaction(database, (all) => readNextEntrants(all, wanted))).length;
}
