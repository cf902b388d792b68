import type { ScheduledStep } from '../../../contract/operator/drop/schedule-changes.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Config } from '../../config.ts';
import { startOffersOperation } from '../offers/start-offers.ts';
import { announceDrawOperation } from './announce-draw.ts';
import { closeDropOperation } from './close-drop.ts';
import { openFreezeDrop } from './freeze.ts';
import { selectEntrantsOperation } from './select-entrants.ts';

export type StepOperations = { readonly [Step in ScheduledStep]: Operation<Step> };

export const openSteps = (config: Pick<Config, 'referralCredit'>): StepOperations => ({
  'freeze-drop': openFreezeDrop(config),
  'announce-draw': announceDrawOperation,
  'select-entrants': selectEntrantsOperation,
  'start-offers': startOffersOperation,
  'close-drop': closeDropOperation,
});
