import type { ScheduledStep } from '../../../contract/drop/step-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Platform } from '../../module.ts';
import { openStartOffers } from '../offers/start-offers.ts';
import { announceDrawOperation } from './announce-draw.ts';
import { closeDropOperation } from './close-drop.ts';
import { openFreezeDrop } from './freeze.ts';
import { openRelays } from './relays.ts';
import { openSelectEntrants } from './select-entrants.ts';

export type StepOperations = { readonly [Step in ScheduledStep]: Operation<Step> };

export const openSteps = ({
  config,
  database,
}: Pick<Platform, 'config' | 'database'>): StepOperations => ({
  'freeze-drop': openFreezeDrop(database),
  'announce-draw': announceDrawOperation,
  'select-entrants': openSelectEntrants(database, openRelays(config.drandRelays)),
  'start-offers': openStartOffers(config),
  'close-drop': closeDropOperation,
});
