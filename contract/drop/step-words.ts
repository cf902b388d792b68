import type { ScheduledStep } from '../operator/drop/drop-changes.ts';

export const STEP_WORDS: Readonly<Record<ScheduledStep, string>> = {
  'freeze-drop': 'The line is frozen',
  'announce-draw': 'The draw is announced',
  'select-entrants': 'The draw is made',
  'start-offers': 'Masks are offered',
  'close-drop': 'The drop ends',
};
