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
};

export const GIVE_UP_AFTER_MS = 24 * 3600 * 1000;
/** A mail that waited for long itself has had few. */
const MIN_ATTEMPTS = 10;
/** Refusals of different mails without an accepted one between. */
const REFUSALS_IN_A_ROW = 3;
/** A refused mail is at fault itself if so many were accepted since, for each other refused one. */
const ACCEPTED_FOR_A_REFUSED = 10;
const MAX_REMEMBERED = 1_000;

export function openRefusalWatch() {
  /** How many were accepted, and refused, at the last refusal of each mail: oldest first. */
  const refusals = new Map<string, { readonly accepted: number; readonly turn: number }>();
  let accepted = 0;
  let turn = 0;

  function isAtFault(id: string): boolean {
    const before = refusals.get(id);
    if (before === undefined || accepted === before.accepted) return false;
    const others = [...refusals].filter(([other, one]) => other !== id && one.turn > before.turn);
    return accepted - before.accepted >= ACCEPTED_FOR_A_REFUSED * others.length;
  }

  function remember(id: string): void {
    turn += 1;
    refusals.delete(id);
    refusals.set(id, { accepted, turn });
    const [oldest] = refusals.size > MAX_REMEMBERED ? refusals.keys() : [];
    if (oldest !== undefined) refusals.delete(oldest);
  }

  return {
    noteAccepted(id: string): void {
      accepted += 1;
      refusals.delete(id);
    },

    judge({ id, ageMs, attempts, isOffer }: Refused, failure: SmtpFailure): Verdict {
      const scope = refusalScope(failure);
      const isOld = ageMs >= GIVE_UP_AFTER_MS && attempts >= MIN_ATTEMPTS;
      const end = isOld ? 'given_up' : 'later';
      if (scope === null) {
        const isWaiting = isOffer && failure.cause !== 'not composed';
        return { outcome: isWaiting ? 'later' : end, isOfSender: false };
      }
      if (scope === 'mail') return { outcome: 'refused', isOfSender: false };
      const isFinal = (failure.responseCode ?? 0) >= 500;
      const isOwnFault = scope !== 'quota' && isAtFault(id);
      if (isOwnFault && isFinal) {
        refusals.delete(id);
        return { outcome: 'refused', isOfSender: false };
      }
      remember(id);
      if (isOwnFault) return { outcome: end, isOfSender: false };
      const row = [...refusals.values()].filter((one) => one.accepted === accepted).length;
      const isOfSender = scope !== 'unclear' || row >= REFUSALS_IN_A_ROW;
      return { outcome: isOfSender ? 'later' : end, isOfSender };
    },
  };
}
