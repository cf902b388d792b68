/** Reminders of friends who have not confirmed, and so do not count when the line freezes. */
import type { Brand } from '../../../brand/brand-shape.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import type { Transaction } from '../../db/transaction.ts';
import { getNextFreeze } from '../../drop/schedule/schedule.ts';
import { DAY_MS } from '../../durations.ts';
import { queueMails } from '../../line/mails/store.ts';
import { withNotificationLock } from '../store.ts';
import { readNextMembers, writeReminderCursor } from './reminder-store.ts';

type ReminderOptions = {
  readonly brand: Pick<Brand, 'mails'>;
  readonly referralCredit: Config['referralCredit'];
  readonly mailRate: number;
  readonly now?: Date;
};

/** One reminder after two days, in the last three before a freeze after one: behaviour.md 11. */
const AFTER_MS = 2 * DAY_MS;
const LAST_DAYS_MS = 3 * DAY_MS;
const AFTER_MS_IN_LAST_DAYS = DAY_MS;
/** Half of what may leave until the next run: mails to new members come between. */
const SECONDS_OF_MAIL = 30;
/** On the embedded engine, a join waits for the transaction. */
const MAILS_PER_TRANSACTION = 100;
const WALKED_PER_TRANSACTION = 1_000;
/** With a run a minute, the end of a line of a million is reached within an hour. */
const MAX_TRANSACTIONS = 20;

/** A bounded number, on one server at a time. What is switched off counts as sent. */
export async function queueReminders(
  database: Database,
  { brand, referralCredit, mailRate, now = new Date() }: ReminderOptions,
): Promise<{ queued: number }> {
  let queued = 0;
  if (referralCredit !== 'settle') return { queued };
  const most = Math.max(1, Math.floor(mailRate * SECONDS_OF_MAIL));
  for (let part = 0; part < MAX_TRANSACTIONS && queued < most; part += 1) {
    const limit = Math.min(MAILS_PER_TRANSACTION, most - queued);
    const done = await withNotificationLock(database, (transaction) =>
      queuePart(transaction, { brand, limit, now }),
    );
    queued += done?.queued ?? 0;
    if (done === null || done.isLast) break;
    await letOthersIn();
  }
  return { queued };
}

type PartOptions = Pick<ReminderOptions, 'brand'> & { readonly limit: number; readonly now: Date };

async function queuePart(
  transaction: Transaction,
  { brand, limit, now }: PartOptions,
): Promise<{ queued: number; isLast: boolean }> {
  const { state, at } = await getNextFreeze({ kysely: transaction });
  if (state !== 'open' || (at !== null && at <= now)) return { queued: 0, isLast: true };
  const isLate = at !== null && at <= inMs(now, LAST_DAYS_MS);
  const walked = await readNextMembers(transaction, {
    joinedBefore: inMs(now, isLate ? -AFTER_MS_IN_LAST_DAYS : -AFTER_MS),
    limit: WALKED_PER_TRANSACTION,
  });
  const friends = walked.filter(({ mustConfirm }) => mustConfirm);
  const next = friends[limit]?.sequence ?? (walked.at(-1)?.sequence ?? 0) + 1;
  if (walked.length > 0) await writeReminderCursor(transaction, next);
  const reminded = brand.mails['confirm-reminder'].isOn ? friends.slice(0, limit) : [];
  await queueMails(
    transaction,
    reminded.map(({ id: memberId }) => ({ kind: 'confirm-reminder' as const, memberId })),
  );
  const isLast = walked.length < WALKED_PER_TRANSACTION && friends.length <= limit;
  return { queued: reminded.length, isLast };
}

const inMs = (now: Date, ms: number) => new Date(now.getTime() + ms);
