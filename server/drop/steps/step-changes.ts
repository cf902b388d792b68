import type { ScheduledStep } from '../../../contract/operator/drop/schedule-changes.ts';
import type { Verb } from '../../changes/change.ts';
import { startOffersVerb } from '../offers/starting.ts';
import { announceDrawVerb, selectEntrantsVerb } from './drawing.ts';
import { closeDropVerb } from './ending.ts';
import { freezeDropVerb } from './freezing.ts';

export type StepVerbs = { readonly [Step in ScheduledStep]: Verb<Step> };

/** The steps of a drop that operators take, or schedule. */
export const stepVerbs: StepVerbs = {
  'freeze-drop': freezeDropVerb,
  'announce-draw': announceDrawVerb,
  'select-entrants': selectEntrantsVerb,
  'start-offers': startOffersVerb,
  'close-drop': closeDropVerb,
};
