/**
 * What may be mailed to an address that anybody may have typed. All spellings of a mailbox share
 * it, and leaving and joining again does not renew it.
 */
import type { MailKind } from '../../../contract/mails.ts';
import { DAY_MS } from '../../durations.ts';
import type { MailRequest } from '../delivery/queue.ts';

export type Slot = 'first' | 'reminder' | 'link' | 'campaign';

/** A kind that is not here goes to members alone who have confirmed their address. */
const SLOTS: Partial<Record<MailKind, Slot>> = {
  welcome: 'first',
  confirm: 'first',
  'confirm-reminder': 'reminder',
  'status-link': 'link',
  campaign: 'campaign',
};

/** About an offer, or money on a card: it is sent also to whoever stopped mail. */
export function isOwedMail(request: MailRequest): boolean {
  return 'offerId' in request || ('entry' in request && request.kind !== 'enter-reminder');
}

/** `free`: whatever the mailbox got before; null: not before the member confirms. */
export function slotOf(request: MailRequest, isConfirmed: boolean): Slot | 'free' | null {
  if (isOwedMail(request) || 'byOperator' in request) return 'free';
  if (isConfirmed) return request.kind === 'status-link' ? 'link' : 'free';
  return SLOTS[request.kind] ?? null;
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
