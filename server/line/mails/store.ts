import type { Database } from '../../db/database.ts';
import { run } from '../../db/rows.ts';
import type { MailRequest } from './mail-kinds.ts';

/** Queues mails as part of the caller's transaction. */
export async function queueMails<Request extends MailRequest>(
  kysely: Database['kysely'],
  mails: readonly Request[],
): Promise<void> {
  if (mails.length === 0) return;
  const texts = mails.map((mail) => JSON.stringify(mail));
  await run(kysely)`select queue_mails(${texts}::text[]::jsonb[])`;
}
