/**
 * What may be mailed to an address that anybody may have typed. All spellings of a mailbox share
 * it, and leaving and joining again does not renew it.
 */
import { DAY_MS } from '../../durations.ts';
import type { MailKindOf, MailRequest, Slot } from '../../line/mails/mail-kinds.ts';

/** `free`: whatever the mailbox got before; null: not before the member confirms. */
export function slotOf(
  { slot, isOwed }: Pick<MailKindOf, 'slot' | 'isOwed'>,
  { byOperator, isConfirmed }: Pick<MailRequest, 'byOperator'> & { isConfirmed: boolean },
): Slot | 'free' | null {
  if (isOwed || byOperator) return 'free';
  return isConfirmed && slot !== 'link' ? 'free' : (slot ?? null);
}

export type StrangerMail = {
  readonly jobId: string;
  readonly slot: Slot;
  readonly claimedAt: Date;
  /** Whether its member is in line. */
  readonly isInLine: boolean;
};

/** A mailbox that has not confirmed: its mail, a reminder and one more. */
const MAILS_A_WEEK = 3;
export const WEEK_MS = 7 * DAY_MS;

/** `before`: what the mailbox got, with every row of the last seven days. */
export function maySend(
  { jobId, slot, isConfirmed }: Pick<StrangerMail, 'jobId' | 'slot'> & { isConfirmed: boolean },
  before: readonly StrangerMail[],
  now: Date,
): boolean {
  const isWithin = (ms: number) => (mail: StrangerMail) =>
    now.getTime() - mail.claimedAt.getTime() < ms;
  const same = before.filter((mail) => mail.slot === slot);
  if (same.some((mail) => mail.jobId === jobId)) return true;
  if (slot === 'link' && same.some(isWithin(DAY_MS))) return false;
  if (isConfirmed) return true;
  const isOnce = slot === 'first' || slot === 'reminder';
  if (isOnce && same.some(({ isInLine }) => isInLine)) return false;
  return before.filter(isWithin(WEEK_MS)).length < MAILS_A_WEEK;
}

/** Friends of one code who were mailed in the last day. */
export type MailedFriends = Readonly<Record<'confirmed' | 'unconfirmed', number>>;

const UNCONFIRMED_FRIENDS_A_DAY = 100;
const MORE_FOR_EACH_CONFIRMED = 4;

/** A code that brings people is not slowed: each who confirms makes room for more. */
export function mayMailFriend({ confirmed, unconfirmed }: MailedFriends): boolean {
  return unconfirmed < UNCONFIRMED_FRIENDS_A_DAY + MORE_FOR_EACH_CONFIRMED * confirmed;
}
