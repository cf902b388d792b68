import type { ScheduledStep } from '../../../contract/operator/drop/schedule-changes.ts';
import type { Operation } from '../../changes/operation.ts';
import { startOffersOperation } from '../offers/start-offers.ts';
import { announceDrawOperation } from './announce-draw.ts';
import { closeDropOperation } from './close-drop.ts';
import { freezeDropOperation } from './freeze.ts';
import { selectEntrantsOperation } from './select-entrants.ts';

export type StepOperations = { readonly [Step in ScheduledStep]: Operation<Step> };

export const stepOperations: StepOperations = {
  'freeze-drop': freezeDropOperation,
  'announce-draw': announceDrawOperation,
  'select-entrants': selectEntrantsOperation,
  'start-offers': startOffersOperation,
  'close-drop': closeDropOperation,
};
