import { sql } from 'kysely';
import type { Database } from '../server/db/database.ts';
import type { OfferRow as StoredOffer } from '../server/db/schema/feature-tables.ts';
import { MAIL_QUEUE } from '../server/db/schema/queue-schema.ts';
import { inTransaction } from '../server/db/transaction.ts';
import { readNextEntrants } from '../server/drop/entrant-store.ts';
import { sumHeld } from '../server/drop/stock/size-rules.ts';
import { listSizes } from '../server/drop/stock/store.ts';

export type OfferRow = StoredOffer & { readonly email: string };

export async function hasUnsentMail({ kysely }: Database): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from pgboss.job where name = ${MAIL_QUEUE} and state < 'completed')
      or exists (select from mail_outbox)
      or exists (select from campaign where state = 'sending') as has
  `.execute(kysely);
  return rows[0]?.has ?? false;
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
