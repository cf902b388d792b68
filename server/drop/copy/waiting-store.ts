import { only } from '../../db/rows.ts';
import { MAIL_QUEUE } from '../../db/schema/queue-schema.ts';
import type { Transaction } from '../../db/transaction.ts';
import { IS_UNSETTLED } from '../till/till-store.ts';

export type Waiting = Readonly<
  Record<'mails' | 'deliveries' | 'offers' | 'checkouts' | 'refunds' | 'tills_without_keys', number>
>;

/** What a line that may be a copy has held back. */
export function countWaiting(transaction: Transaction) {
  return only<Waiting>(transaction)`
    select
      (select count(*) from pgboss.job where name = ${MAIL_QUEUE} and state <= 'active')
        + (select coalesce(sum(cardinality(member_ids)), 0)::bigint from mail_outbox)
        + (select count(*) from campaign join campaign_mail on campaign_id = id
          where state = 'sending' and member_id > queued_to) as mails,
      (select count(*) from webhook_delivery where state = 'waiting') as deliveries,
      (select count(*) from offer join mask_drop on number = drop_number
        where offer.state = 'open' and mailed_at is not null and paused_by = 'copy') as offers,
      (select count(*) from checkout where ${IS_UNSETTLED}) as checkouts,
      (select count(*) from till_payment where state = 'to_refund') as refunds,
      (select count(*) from keyless_accounts()) as tills_without_keys
  `;
}
