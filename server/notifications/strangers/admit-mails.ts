/** The one place that says whether a mail may go to a mailbox. */
import type { Database } from '../../db/database.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { DAY_MS } from '../../durations.ts';
import type { Recipient } from '../../line/get-recipients.ts';
import { kindOf, type MailKinds, type Slot } from '../../line/mails/mail-kinds.ts';
import {
  findSuppressed,
  hashMailbox,
  linkSuppression,
  type Suppression,
} from '../../mail/suppression/store.ts';
import type { MailJob } from '../delivery/queue.ts';
import {
  type MailedFriends,
  mayMailFriend,
  maySend,
  type StrangerMail,
  slotOf,
  WEEK_MS,
} from './stranger-mail-rules.ts';
import {
  type Claim,
  countMailedFriends,
  forgetStrangerMails,
  lockStrangerMails,
  readJoined,
  readStrangerMails,
  writeStrangerMails,
} from './stranger-mail-store.ts';

export type WaitingMail = {
  readonly job: Pick<MailJob, 'id' | 'request' | 'queuedAt'>;
  readonly recipient: Pick<Recipient, 'id' | 'identity' | 'isConfirmed'>;
};

/** `wait`: too many friends of one code were mailed and have not confirmed. */
export type Verdict =
  | { readonly kind: 'send'; readonly isStopped: boolean }
  | { readonly kind: 'wait' }
  | { readonly kind: 'never'; readonly cause: string };

const SEND: Verdict = { kind: 'send', isStopped: false };
const SUPPRESSED: Verdict = { kind: 'never', cause: 'mail stopped' };
const UNCONFIRMED: Verdict = { kind: 'never', cause: 'address not confirmed' };
const ENOUGH: Verdict = { kind: 'never', cause: 'mailbox had its mails' };

type Asked<M> = {
  readonly mail: M;
  readonly slot: Slot;
  readonly suppression: Suppression | undefined;
};

export async function admitMails<M extends WaitingMail>(
  database: Database,
  { secretKey, kinds }: { readonly secretKey: string; readonly kinds: MailKinds },
  mails: readonly M[],
  now = new Date(),
): Promise<ReadonlyMap<M, Verdict>> {
  const identities = mails.map(({ recipient }) => recipient.identity);
  const suppressed = await findSuppressed(database, secretKey, identities);
  const verdicts = new Map<M, Verdict>();
  const asked: Asked<M>[] = [];
  for (const mail of mails) {
    const { job, recipient } = mail;
    const suppression = suppressed.get(recipient.identity);
    const { request } = job;
    const kind = kindOf(kinds, request);
    const slot = slotOf(kind, { ...request, isConfirmed: recipient.isConfirmed });
    const isStopped = suppression?.reason === 'stopped';
    if (suppression?.memberId === null) await linkSuppression(database, secretKey, recipient);
    // Mail that can turn mail on again is a first one, and what is owed is sent all the same.
    const isOwed = isStopped && (slot === 'first' || kind.isOwed === true);
    if (suppression !== undefined && !isOwed) verdicts.set(mail, SUPPRESSED);
    else if (slot === null) verdicts.set(mail, UNCONFIRMED);
    else if (slot === 'free') verdicts.set(mail, { kind: 'send', isStopped });
    else asked.push({ mail, slot, suppression });
  }
  if (asked.length > 0)
    await inTransaction(database, async (transaction) => {
      for (const [mail, verdict] of await claimSlots(transaction, { secretKey, asked, now }))
        verdicts.set(mail, verdict);
    });
  return verdicts;
}

async function claimSlots<M extends WaitingMail>(
  transaction: Transaction,
  { secretKey, asked, now }: { secretKey: string; asked: readonly Asked<M>[]; now: Date },
): Promise<ReadonlyMap<M, Verdict>> {
  await lockStrangerMails(transaction);
  const mailboxOf = ({ mail }: Asked<M>) => hashMailbox(secretKey, mail.recipient.identity);
  const known = await readStrangerMails(transaction, asked.map(mailboxOf));
  const got: Map<string, StrangerMail[]> = Map.groupBy(known, ({ mailbox }) => mailbox);
  const joined = await readJoined(
    transaction,
    asked.map(({ mail }) => mail.recipient.id),
  );
  const friends = await countMailedFriends(transaction, {
    referrerIds: [...new Set([...joined.values()].flatMap(({ referrerId }) => referrerId ?? []))],
    since: new Date(now.getTime() - DAY_MS),
  });
  const claims: Claim[] = [];
  const verdicts = new Map<M, Verdict>();
  for (const one of asked) verdicts.set(one.mail, decide(one));
  if (claims.length > 0) await writeStrangerMails(transaction, claims, now);
  await forgetStrangerMails(transaction, new Date(now.getTime() - WEEK_MS));
  return verdicts;

  function decide(one: Asked<M>): Verdict {
    const { mail, slot, suppression } = one;
    const { job, recipient } = mail;
    const member = joined.get(recipient.id);
    if (member === undefined) return ENOUGH;
    if (suppression !== undefined && !hasJoinedAnew(recipient.id, member, suppression))
      return SUPPRESSED;
    const mailbox = mailboxOf(one);
    const before = got.get(mailbox) ?? [];
    if (!maySend({ jobId: job.id, slot, isConfirmed: recipient.isConfirmed }, before, now))
      return ENOUGH;
    const send: Verdict = suppression === undefined ? SEND : { kind: 'send', isStopped: true };
    if (before.some(({ jobId }) => jobId === job.id)) return send;
    const referrerId = slot === 'first' ? member.referrerId : null;
    if (referrerId !== null) {
      const mailed: MailedFriends = friends.get(referrerId) ?? { confirmed: 0, unconfirmed: 0 };
      if (!mayMailFriend(mailed))
        return now.getTime() - job.queuedAt.getTime() < DAY_MS ? { kind: 'wait' } : ENOUGH;
      friends.set(referrerId, { ...mailed, unconfirmed: mailed.unconfirmed + 1 });
    }
    claims.push({ jobId: job.id, mailbox, slot, memberId: recipient.id });
    got.set(mailbox, [...before, { jobId: job.id, slot, claimedAt: now, isInLine: true }]);
    return send;
  }
}

/** They stopped mail, left, and joined again of their own accord. */
function hasJoinedAnew(
  memberId: string,
  { joinedAt, isImported }: { readonly joinedAt: Date; readonly isImported: boolean },
  { since, memberId: stoppedBy }: Suppression,
): boolean {
  return !isImported && since < joinedAt && (stoppedBy === null || stoppedBy === memberId);
}
