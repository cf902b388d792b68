import type { CheckoutState, DropState, ReleaseReason } from '../../../contract/drop/states.ts';
import { DAY_MS, HOUR_MS } from '../../durations.ts';

type Standing = {
  readonly drop_state: DropState;
  readonly is_window_open: boolean;
  readonly may_be_drawn: boolean;
  readonly state: CheckoutState | null;
  readonly why: ReleaseReason | null;
};

export const USUAL_HOURS = 48;
/** A hold lives for about a week: the draw comes so soon after the window has opened. */
const DRAW_WITHIN_MS = 5 * DAY_MS;
/** Others keep their hold for so long while captures of winners are under way. */
export const RELEASE_AFTER_MS = (5 / 6) * HOUR_MS;
/** The announcement waits so long for checkouts that were begun in time. */
export const WAIT_FOR_LATE_MS = HOUR_MS / 3;

/** Who entered late because a hold had lapsed may do so until the draw. */
export function mayEnter({
  drop_state,
  is_window_open: isOpen,
  may_be_drawn: mayBeDrawn,
  state,
  why,
}: Standing): boolean {
  const isLeaving = (state === 'wanted' || state === 'created') && why !== null;
  const isOut = state === null || state === 'released' || isLeaving;
  return drop_state === 'frozen' && isOut && mayBeDrawn && (isOpen || why === 'lapsed');
}

export function drawProblem(
  { frozen_at, enter_until }: Readonly<Record<'frozen_at' | 'enter_until', Date | null>>,
  at: Date,
): string | null {
  if (frozen_at === null || enter_until === null) return null;
  if (at.getTime() > frozen_at.getTime() + DRAW_WITHIN_MS)
    return 'Cards hold the price for about a week: the draw comes at most 5 days after the freeze.';
  return null;
}
