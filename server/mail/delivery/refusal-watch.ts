/** Tells refused mails from refused senders: a used-up quota answers like a bad address. */
import { refusalScope, type SmtpFailure } from './smtp-failure-rules.ts';

export type Refused = {
  readonly id: string;
  readonly ageMs: number;
  readonly attempts: number;
  /** An offer waits for as long as the mail server does not answer about it. */
  readonly isOffer: boolean;
};

export type Verdict = {
  readonly outcome: 'refused' | 'later' | 'given_up';
  /** Mail should stand still. */
  readonly isOfSender: boolean;
  /** Mail should go on: only a few mails were refused, again and again. */
  readonly endsStop?: boolean;
};

export const GIVE_UP_AFTER_MS = 24 * 3600 * 1000;
/** A mail that waited for long itself has had few. */
const MIN_ATTEMPTS = 10;
/** Refusals of different mails without an accepted one between. */
const REFUSALS_IN_A_ROW = 3;
/** Unknown mailboxes may follow each other by chance, and a used-up quota may look like them. */
const REFUSED_MAILBOXES_IN_A_ROW = 5;
/** Refusals of one mail before those of no more than a few count as their own. */
const MAX_PROBES_OF_ONE = 5;
/** A refused mail is at fault itself if so many were accepted since, for each other refused one. */
const ACCEPTED_FOR_A_REFUSED = 10;
const MAX_REMEMBERED = 1_000;

export function openRefusalWatch() {
  /** The last refusal of each mail, oldest first, with how many were accepted and refused then. */
  const refusals = new Map<string, Refusal>();
  let accepted = 0;
  let turn = 0;

  function isAtFault(id: string): boolean {
    const before = refusals.get(id);
    if (before === undefined || accepted === before.accepted) return false;
    const others = [...refusals].filter(
      ([other, one]) => other !== id && !one.isOfMailbox && one.turn > before.turn,
    );
    return accepted - before.accepted >= ACCEPTED_FOR_A_REFUSED * others.length;
  }

  /** Returns how often the mail was refused with none accepted between. */
  function remember(id: string, isOfMailbox: boolean): number {
    turn += 1;
    const before = refusals.get(id);
    const times = before?.accepted === accepted ? before.times + 1 : 1;
    refusals.delete(id);
    refusals.set(id, { accepted, turn, times, isOfMailbox });
    const [oldest] = refusals.size > MAX_REMEMBERED ? refusals.keys() : [];
    if (oldest !== undefined) refusals.delete(oldest);
    return times;
  }

  return {
    noteAccepted(id: string): void {
      accepted += 1;
      refusals.delete(id);
    },

    judge({ id, ageMs, attempts, isOffer }: Refused, failure: SmtpFailure): Verdict {
      const scope = refusalScope(failure);
      const isOld = ageMs >= GIVE_UP_AFTER_MS && attempts >= MIN_ATTEMPTS;
      const isWaiting = isOffer && failure.cause !== 'not composed';
      const end = isOld && !isWaiting ? 'given_up' : 'later';
      if (scope === null) return { outcome: end, isOfSender: false };
      if (scope !== 'quota' && isAtFault(id)) {
        const isFinal = (failure.responseCode ?? 0) >= 500;
        if (isFinal) refusals.delete(id);
        else remember(id, scope === 'mail');
        const putOff = isOld ? 'given_up' : 'later';
        return { outcome: isFinal ? 'refused' : putOff, isOfSender: false };
      }
      const times = remember(id, scope === 'mail');
      const row = [...refusals.values()].filter((refusal) => refusal.accepted === accepted).length;
      if (scope === 'mail' && row < REFUSED_MAILBOXES_IN_A_ROW)
        return { outcome: 'refused', isOfSender: false };
      const isFew = scope === 'mail' || row < REFUSALS_IN_A_ROW;
      if (scope !== 'quota' && isFew && times > MAX_PROBES_OF_ONE)
        return { outcome: end, isOfSender: false, endsStop: true };
      const isOfSender = scope !== 'unclear' || row >= REFUSALS_IN_A_ROW;
      return { outcome: isOfSender ? 'later' : end, isOfSender };
    },
  };
}

type Refusal = Readonly<Record<'accepted' | 'turn' | 'times', number> & { isOfMailbox: boolean }>;
