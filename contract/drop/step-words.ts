/** The steps of a drop in their order, and what is true once each is taken. */
export const STEP_WORDS = {
  'freeze-drop': 'The line is frozen',
  'announce-draw': 'The draw is announced',
  'select-entrants': 'The draw is made',
  'start-offers': 'Masks are offered',
  'close-drop': 'The drop ends',
} as const;
export type ScheduledStep = keyof typeof STEP_WORDS;
export const SCHEDULED_STEPS = Object.keys(STEP_WORDS) as ScheduledStep[];
