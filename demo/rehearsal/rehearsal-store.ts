import { sql } from 'kysely';
import type { Database } from '../../server/db/database.ts';
import { KEEP_UNDELIVERED_S, MAIL_QUEUE } from '../../server/db/schema/queue-schema.ts';

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

export type EntrantRow = {
  readonly drop_number: number;
  readonly member_id: string;
  readonly draw_order: number;
  readonly takes_any: boolean;
};

export async function readEntrants({ kysely }: Database): Promise<EntrantRow[]> {
  const { rows } = await sql<EntrantRow>`
    select drop_number, member_id, draw_order, takes_any from entrant order by draw_order
  `.execute(kysely);
  return rows;
}

export type OfferRow = {
  readonly id: string;
  readonly drop_number: number;
  readonly member_id: string;
  readonly size: string;
  readonly state: string;
  readonly offered_at: Date;
  readonly expires_at: Date;
  readonly mailed_at: Date | null;
  readonly reminded_at: Date | null;
  readonly code: string | null;
  readonly shop_order: string | null;
};

export async function readOffers({ kysely }: Database): Promise<OfferRow[]> {
  const { rows } = await sql<OfferRow>`
    select id, drop_number, member_id, size, state, offered_at, expires_at, mailed_at,
      reminded_at, code, shop_order
    from offer order by offered_at, id
  `.execute(kysely);
  return rows;
}

export async function hasUnsentMail({ kysely }: Database): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from pgboss.job where name = ${MAIL_QUEUE} and state < 'completed')
      or exists (select from mail_outbox) as has
  `.execute(kysely);
  return rows[0]?.has ?? false;
}
