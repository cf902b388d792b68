import type { FailedMail, SuppressedAddress } from '../../../contract/operator/mails.ts';
import type { Database } from '../../db/database.ts';
import { all, value } from '../../db/rows.ts';
import { MAIL_QUEUE } from '../../db/schema/queue-schema.ts';
import type { Transaction } from '../../db/transaction.ts';

export type OwnerRow = { readonly member_id: string | null; readonly email: string | null };

type MailRow = OwnerRow & { readonly kind: string; readonly queued_at: Date };
type JobRow = MailRow & Pick<FailedMail, 'attempts' | 'cause'> & { readonly id: string };

type Key = { readonly us: number; readonly id: string };
type WaitingRow = JobRow & { readonly queued_us: number; readonly next_at: Date };

export const readWaitingJobs = ({ kysely }: Database, { us, id }: Key, limit: number) =>
  all<WaitingRow>(kysely)`select * from list_waiting_jobs(${us}, ${id}, ${limit})`;

type BatchRow = MailRow & { readonly first_sequence: number; readonly ordinal: number };

export const readWaitingBatches = (
  { kysely }: Database,
  { sequence, ordinal }: { readonly sequence: number; readonly ordinal: number },
  limit: number,
) => all<BatchRow>(kysely)`select * from list_waiting_batches(${sequence}, ${ordinal}, ${limit})`;

type UndeliveredRow = JobRow &
  Pick<FailedMail, 'outcome' | 'response_code'> & {
    readonly ended_us: number;
    readonly ended_at: Date;
  };

export const readUndelivered = ({ kysely }: Database, { us, id }: Key, limit: number) =>
  all<UndeliveredRow>(kysely)`select * from list_undelivered(${us}, ${id}, ${limit})`;

/** Queues them as new, except those of cancelled campaigns. Returns how many. */
export function retryUndelivered(transaction: Transaction) {
  return value<number>(transaction)`
    with again as (
      update pgboss.job set state = 'created', created_on = now(), start_after = now(),
        keep_until = now() + make_interval(secs => queue.retention_seconds),
        deletion_seconds = queue.deletion_seconds, started_on = null, completed_on = null,
        retry_count = 0, output = null
      from pgboss.queue queue
      where job.name = ${MAIL_QUEUE} and queue.name = ${MAIL_QUEUE}
        and job.output->>'outcome' in ('refused', 'given_up')
        and exists (select from member where id = (job.data->>'memberId')::uuid)
        and not exists (
          select from campaign
          where id = (job.data->>'campaign')::integer and state = 'cancelled')
      returning job.data
    ), uncounted as (
      update campaign_mail mail set outcome = null from again
      where mail.campaign_id = (again.data->>'campaign')::integer
        and mail.member_id = (again.data->>'memberId')::uuid
        and mail.outcome in ('refused', 'given_up')
      returning mail.campaign_id
    ), resumed as (
      update campaign set failed = failed - part.mails, state = 'sending', ended_at = null
      from (select campaign_id, count(*)::integer as mails from uncounted group by 1) part
      where id = part.campaign_id
    )
    select count(*)::integer as mails from again
  `;
}

type SuppressedRow = OwnerRow &
  Pick<SuppressedAddress, 'reason'> & {
    readonly hash: string;
    readonly since_us: number;
    readonly since: Date;
  };

export function readSuppressed({ kysely }: Database, { us, id }: Key, limit: number) {
  return all<SuppressedRow>(kysely)`
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
  `;
}
