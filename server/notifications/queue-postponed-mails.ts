import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { mailboxOf } from '../mail/email-rules.ts';
import { queueMails } from './delivery/queue.ts';
import { takePostponed } from './postponed-store.ts';

/** As many as a mailbox gets at once: those of a person who came after a bomb are the newest. */
const MAX_PER_MAILBOX = 10;

/**
 * Queues the mails that were postponed until now: the newest of each mailbox, and the others never.
 * Meant to run every minute; servers that run it at once queue each mail once.
 */
export async function queuePostponedMails(database: Database, now = new Date()): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const counts = new Map<string, number>();
    const mails = (await takePostponed(transaction, now)).filter(({ identity }) => {
      const mailbox = mailboxOf(identity);
      const count = (counts.get(mailbox) ?? 0) + 1;
      counts.set(mailbox, count);
      return count <= MAX_PER_MAILBOX;
    });
    await queueMails(
      transaction,
      mails.map(({ kind, memberId }) => ({ kind, memberId })),
    );
  });
}
