import { type Selectable, sql } from 'kysely';
import type { Database } from '../../server/db/database.ts';
import type { FeatureTables, OfferRow } from '../../server/db/schema/feature-tables.ts';
import { KEEP_UNDELIVERED_S, MAIL_QUEUE } from '../../server/db/schema/queue-schema.ts';

/** A rehearsal reads entrants at its end, when all are drawn. */
export type EntrantRow = Selectable<FeatureTables['entrant']> & { readonly draw_order: number };
export type { OfferRow };
export type MailRow = {
  readonly kind: string;
  readonly member_id: string;
  readonly outcome: string | null;
  readonly queued_at: Date;
};

/** The report counts the mails of a week, while sent ones are usually deleted after three days. */
export async function keepMails({ kysely }: Database): Promise<void> {
  await sql`
    update pgboss.queue set deletion_seconds = ${KEEP_UNDELIVERED_S} where name = ${MAIL_QUEUE}
  `.execute(kysely);
}

export async function readMails({ kysely }: Database): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select data->>'kind' as kind, data->>'memberId' as member_id, output->>'outcome' as outcome,
      created_on as queued_at
    from pgboss.job where name = ${MAIL_QUEUE} order by created_on
  `.execute(kysely);
  return rows;
}

export async function readEntrants({ kysely }: Database): Promise<EntrantRow[]> {
  return (await sql<EntrantRow>`select * from entrant order by draw_order`.execute(kysely)).rows;
}

export async function readOffers({ kysely }: Database): Promise<OfferRow[]> {
  return (await sql<OfferRow>`select * from offer order by offered_at, id`.execute(kysely)).rows;
}

export async function hasUnsentMail({ kysely }: Database): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from pgboss.job where name = ${MAIL_QUEUE} and state < 'completed')
      or exists (select from mail_outbox) as has
  `.execute(kysely);
  return rows[0]?.has ?? false;
}
