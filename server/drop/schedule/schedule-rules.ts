import type { DropState } from '../../../contract/drop/states.ts';
import {
  SCHEDULED_STEPS,
  type ScheduledStep,
  STEP_WORDS,
} from '../../../contract/drop/step-words.ts';
import { MINUTE_MS } from '../../durations.ts';
import { parseMoment } from '../../moment-field-rules.ts';
import { invalidField } from '../../problem.ts';

const MAX_AHEAD_MS = 366 * 24 * 60 * MINUTE_MS;
/** Notice of a planned draw, with time to announce it late. */
const MIN_NOTICE_MIN = 5;
const MAX_NOTICE_MS = 30 * 24 * 60 * MINUTE_MS;

const EXAMPLE = '2026-05-01T18:00:00+02:00';

/** A time without its offset from UTC would be that of the server's zone: the date is invalid. */
export function readMoment(text = ''): Date {
  return parseMoment(/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : '');
}

type Timed = { readonly step: ScheduledStep; readonly due_at: Date };

export function isTaken(
  step: ScheduledStep,
  { state, announced_at }: { readonly state: DropState; readonly announced_at: Date | null },
): boolean {
  if (state === 'closed') return true;
  if (step === 'freeze-drop') return state !== 'open';
  if (step === 'announce-draw') return announced_at !== null;
  if (step === 'select-entrants') return state === 'selected' || state === 'offering';
  return step === 'start-offers' && state === 'offering';
}

export function timeProblem(
  { step, due_at: at }: Timed,
  others: readonly Timed[],
  now: Date,
): string | null {
  if (Number.isNaN(at.getTime())) return `The time must be one such as ${EXAMPLE}.`;
  if (at <= now) return 'This time is in the past.';
  if (at.getTime() - now.getTime() > MAX_AHEAD_MS) return 'This time is more than a year ahead.';
  const place = SCHEDULED_STEPS.indexOf(step);
  for (const other of others) {
    const otherPlace = SCHEDULED_STEPS.indexOf(other.step);
    if (otherPlace < place && other.due_at > at)
      return `${STEP_WORDS[other.step]} before that, but is scheduled for later.`;
    if (otherPlace > place && other.due_at < at)
      return `${STEP_WORDS[other.step]} after that, but is scheduled for earlier.`;
  }
  return null;
}

export function noticeProblem(at: Date, drawAt = '', minMinutes = MIN_NOTICE_MIN): string | null {
  const notice = readMoment(drawAt).getTime() - at.getTime();
  if (Number.isNaN(notice)) return `The draw needs a time such as ${EXAMPLE}.`;
  return notice >= minMinutes * MINUTE_MS && notice <= MAX_NOTICE_MS
    ? null
    : `The draw must be ${minMinutes} min to 30 days after it is announced.`;
}

export function describeTime(at: Date, timeZone: string): string {
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    dateStyle: 'full',
    timeStyle: 'short',
  }).format(at);
  return `${local} (${timeZone}), which is ${at.toISOString().replace('.000Z', 'Z')}`;
}

export function assertTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw invalidField('The time zone must be one such as Europe/Berlin.');
  }
}
