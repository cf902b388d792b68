/** Reminders of friends who have not confirmed, and so do not count when the line freezes. */
import type { Brand } from '../../../brand/brand-shape.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import type { Transaction } from '../../db/transaction.ts';
import { getNextFreeze } from '../../drop/schedule/schedule.ts';
import { DAY_MS } from '../../durations.ts';
import { queueMails } from '../delivery/queue.ts';
import { lockMembers, withNotificationLock } from '../store.ts';
import {
  readNextMembers,
  readRemindedOnce,
  writeReminded,
  writeReminderCursor,
} from './reminder-store.ts';

type ReminderOptions = {
  readonly brand: Pick<Brand, 'mails'>;
  readonly referralCredit: Config['referralCredit'];
  readonly mailRate: number;
  readonly now?: Date;
};

/** docs/behaviour.md 10: one reminder after two days, and one more in the last three. */
const FIRST_AFTER_MS = 2 * DAY_MS;
const LAST_DAYS_MS = 3 * DAY_MS;
/** In the last days a friend is reminded sooner, and this long after another reminder. */
const FIRST_AFTER_MS_IN_LAST_DAYS = DAY_MS;
const BETWEEN_MS = DAY_MS;
/** Half of what may leave until the next run: mails to new members come between. */
const SECONDS_OF_MAIL = 30;
/** A credit for one of these members waits for the transaction; on the embedded engine, all do. */
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
  const last = isLate ? await takeLast(transaction, { limit, now }) : [];
  const first = await takeFirst(transaction, {
    joinedBefore: inMs(now, isLate ? -FIRST_AFTER_MS_IN_LAST_DAYS : -FIRST_AFTER_MS),
    limit: limit - last.length,
  });
  const taken = [...last.map(({ id }) => id), ...first.ids];
  if (taken.length > 0) await writeReminded(transaction, taken, now);
  const reminded = brand.mails['confirm-reminder'].isOn
    ? [...last.filter(({ mustConfirm }) => mustConfirm).map(({ id }) => id), ...first.ids]
    : [];
  if (reminded.length > 0)
    await queueMails(
      transaction,
      reminded.map((memberId) => ({ kind: 'confirm-reminder', memberId })),
    );
  return { queued: reminded.length, isLast: first.isEnd && taken.length < limit };
}

const inMs = (now: Date, ms: number) => new Date(now.getTime() + ms);

async function takeLast(
  transaction: Transaction,
  { limit, now }: { limit: number; now: Date },
): Promise<{ id: string; mustConfirm: boolean }[]> {
  const found = await readRemindedOnce(transaction, {
    remindedBefore: inMs(now, -BETWEEN_MS),
    limit,
  });
  const locked = await lockMembers(
    transaction,
    found.map(({ id }) => id),
  );
  return found.filter(({ id }) => locked.has(id));
}

/** Moves the cursor behind the members who were considered; one who is being credited waits. */
async function takeFirst(
  transaction: Transaction,
  { joinedBefore, limit }: { joinedBefore: Date; limit: number },
): Promise<{ ids: readonly string[]; isEnd: boolean }> {
  const walked = await readNextMembers(transaction, {
    joinedBefore,
    limit: WALKED_PER_TRANSACTION,
  });
  const young = walked.findIndex(({ hasJoinedLongAgo }) => !hasJoinedLongAgo);
  const due = young < 0 ? walked : walked.slice(0, young);
  const friends = due.filter(({ mustConfirm }) => mustConfirm);
  const locked = await lockMembers(
    transaction,
    friends.slice(0, limit).map(({ id }) => id),
  );
  const left = friends.findIndex(({ id }) => !locked.has(id));
  const taken = left < 0 ? friends : friends.slice(0, left);
  const next = friends[taken.length]?.sequence ?? (due.at(-1)?.sequence ?? 0) + 1;
  if (due.length > 0) await writeReminderCursor(transaction, next);
  const isEnd = left >= 0 || due.length < WALKED_PER_TRANSACTION;
  return { ids: taken.map(({ id }) => id), isEnd };
}
