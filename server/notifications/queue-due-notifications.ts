import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { letOthersIn } from '../db/scheduled-work.ts';
import type { Transaction } from '../db/transaction.ts';
import { getNextFreeze } from '../drop/schedule/schedule.ts';
import { queueMails } from '../line/mails/store.ts';
import { findUnmailed } from '../mail/suppression/store.ts';
import type { NewsMail } from './news-mails.ts';
import { type CreditDecision, decideCreditMails, decideTop100Mail } from './notification-rules.ts';
import {
  findTop100Changes,
  lockCreditedMembers,
  lockMembers,
  readSequences,
  withNotificationLock,
  writeCreditsNotified,
  writeSequence,
  writeTop100States,
} from './store.ts';

type NotificationOptions = {
  readonly brand: Pick<Brand, 'mails' | 'tiers' | 'maskCount'>;
  readonly now?: Date;
};

/** A credit for one of these members waits for the transaction; on the embedded engine, all do. */
const MEMBERS_PER_TRANSACTION = 100;

/** On one server at a time. A mail that is switched off counts as sent. */
export async function queueDueNotifications(
  database: Database,
  { brand, now = new Date() }: NotificationOptions,
): Promise<{ queued: number }> {
  let queued = 0;
  for (;;) {
    const batch = await withNotificationLock(database, (transaction) =>
      queueCreditMails(transaction, { brand, now }),
    );
    if (batch === null) return { queued };
    queued += batch.queued;
    if (batch.members < MEMBERS_PER_TRANSACTION) break;
    await letOthersIn();
  }
  const top100 = await withNotificationLock(database, (transaction) =>
    queueTop100Mails(transaction, { brand, now }),
  );
  return { queued: queued + (top100 ?? 0) };
}

async function queueCreditMails(
  transaction: Transaction,
  { brand, now }: Required<NotificationOptions>,
): Promise<{ members: number; queued: number }> {
  const members = await lockCreditedMembers(transaction, { now, limit: MEMBERS_PER_TRANSACTION });
  if (members.length === 0) return { members: 0, queued: 0 };
  const decided = members.map(({ memberId, ...state }) => ({
    memberId,
    ...decideCreditMails(brand.tiers, { ...state, now }),
  }));
  await writeCreditsNotified(transaction, decided);
  const queued = await queueIfOn(transaction, brand, decided.flatMap(creditMails));
  return { members: members.length, queued };
}

type Decided = CreditDecision & { readonly memberId: string };

function creditMails({ memberId, newFriends, tierLevel: level }: Decided): NewsMail[] {
  const mails: NewsMail[] = [];
  if (newFriends !== null) mails.push({ kind: 'friends', memberId, newFriends });
  if (level !== null) mails.push({ kind: 'tier', memberId, level });
  return mails;
}

async function queueTop100Mails(
  transaction: Transaction,
  { brand, now }: Required<NotificationOptions>,
): Promise<number> {
  // The next drop makes it news again which members are in the top.
  if ((await getNextFreeze({ kysely: transaction })).state !== 'open') return 0;
  // Read before the members, so that a join in between is still new at the next run.
  const { next, last } = await readSequences(transaction);
  const { maskCount } = brand;
  const due = (await findTop100Changes(transaction, { maskCount, newFrom: last }))
    .map((change) => ({ ...change, decision: decideTop100Mail(change, now) }))
    .filter(({ decision }) => decision !== 'wait');
  const memberIds = due.map(({ memberId }) => memberId);
  const locked = memberIds.length > 0 ? await lockMembers(transaction, memberIds) : new Set();
  const changes = due.filter(({ memberId }) => locked.has(memberId));
  if (changes.length > 0) await writeTop100States(transaction, { changes, now });
  // A new member who could not be locked must still be new at the next run.
  const isNewMemberSkipped = due.some(({ isNew, memberId }) => isNew && !locked.has(memberId));
  if (next !== last && !isNewMemberSkipped) await writeSequence(transaction, next);
  const mails = changes
    .filter(({ decision }) => decision === 'mail')
    .map(({ memberId, isInside }) => ({ kind: 'top100' as const, memberId, isInside }));
  return await queueIfOn(transaction, brand, mails);
}

async function queueIfOn(
  transaction: Transaction,
  brand: Pick<Brand, 'mails'>,
  mails: readonly NewsMail[],
): Promise<number> {
  const ids = mails.map(({ memberId }) => memberId);
  const unmailed = await findUnmailed(transaction, ids);
  const wanted = mails.filter(
    ({ kind, memberId }) => brand.mails[kind].isOn && !unmailed.has(memberId),
  );
  await queueMails(transaction, wanted);
  return wanted.length;
}
