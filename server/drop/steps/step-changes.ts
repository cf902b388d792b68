import type { ScheduledStep } from '../../../contract/drop/step-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { openStartOffers } from '../offers/start-offers.ts';
import { announceDrawOperation } from './announce-draw.ts';
import { closeDropOperation } from './close-drop.ts';
import { openFreezeDrop } from './freeze.ts';
import { openRelays } from './relays.ts';
import { openSelectEntrants } from './select-entrants.ts';

export type StepOperations = { readonly [Step in ScheduledStep]: Operation<Step> };

type StepOptions = {
  readonly config: Pick<Config, 'referralCredit' | 'drandRelays' | 'smtpUrl' | 'isTrial'>;
  readonly database: Database;
};

export const openSteps = ({ config, database }: StepOptions): StepOperations => ({
  'freeze-drop': openFreezeDrop({ config, database }),
  'announce-draw': announceDrawOperation,
  'select-entrants': openSelectEntrants({
    database,
    fetchRound: openRelays(config.drandRelays),
  }),
  'start-offers': openStartOffers(config),
  'close-drop': closeDropOperation,
});
