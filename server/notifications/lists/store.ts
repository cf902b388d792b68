/** Pages of the mails that wait or never arrived, and of suppressed addresses, by key. */
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/** Null when nobody in line has it. */
type Owner = { readonly member_id: string | null; readonly email: string | null };

export type WaitingJobRow = Owner & {
  readonly id: string;
  readonly queued_us: number;
  readonly kind: string;
  readonly queued_at: Date;
  readonly next_at: Date;
  readonly attempts: number;
  readonly cause: string | null;
};

export async function readWaitingJobs(
  { kysely }: Database,
  { us, id }: { us: number; id: string },
  limit: number,
): Promise<readonly WaitingJobRow[]> {
  const { rows } = await sql<WaitingJobRow>`
    select * from list_waiting_jobs(${us}::bigint, ${id}::uuid, ${limit}::integer)
  `.execute(kysely);
  return rows;
}

export type WaitingBatchRow = Owner & {
  readonly first_sequence: number;
  readonly ordinal: number;
  readonly kind: string;
  readonly queued_at: Date;
};

export async function readWaitingBatches(
  { kysely }: Database,
  { sequence, ordinal }: { sequence: number; ordinal: number },
  limit: number,
): Promise<readonly WaitingBatchRow[]> {
  const { rows } = await sql<WaitingBatchRow>`
    select *
    from list_waiting_batches(${sequence}::bigint, ${ordinal}::bigint, ${limit}::integer)
  `.execute(kysely);
  return rows;
}

export type UndeliveredRow = Owner & {
  readonly id: string;
  readonly ended_us: number;
  readonly kind: string;
  readonly queued_at: Date;
  readonly ended_at: Date;
  readonly attempts: number;
  readonly outcome: 'refused' | 'given_up';
  readonly cause: string | null;
  readonly response_code: number | null;
};

export async function readUndelivered(
  { kysely }: Database,
  { us, id }: { us: number; id: string },
  limit: number,
): Promise<readonly UndeliveredRow[]> {
  const { rows } = await sql<UndeliveredRow>`
    select * from list_undelivered(${us}::bigint, ${id}::uuid, ${limit}::integer)
  `.execute(kysely);
  return rows;
}

export type SuppressedRow = Owner & {
  readonly hash: string;
  readonly since_us: number;
  readonly reason: 'stopped' | 'bounced' | 'complained';
  readonly since: Date;
};

export async function readSuppressed(
  { kysely }: Database,
  { us, id }: { us: number; id: string },
  limit: number,
): Promise<readonly SuppressedRow[]> {
  const { rows } = await sql<SuppressedRow>`
    select address_hash as hash, (extract(epoch from since) * 1000000)::bigint as since_us, reason,
      since, member.id as member_id, member.email
    from (
      select * from mail_suppression
      where (since, address_hash) < (
        'epoch'::timestamptz + ${us}::bigint * interval '1 microsecond', ${id}::text)
      order by since desc, address_hash desc
      limit ${limit}::integer
    ) suppressed
    left join lateral (
      select id, email from member where member.id = suppressed.member_id offset 0
    ) member on true
    order by since desc, address_hash desc
  `.execute(kysely);
  return rows;
}
