/** What the server does by itself for the operators. */
import type { FastifyBaseLogger } from 'fastify';
import type { Brand } from '../brand/brand-shape.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { ScheduledWork } from './db/scheduled-work.ts';
import { makeDueOffers } from './drop/offers/offer-work.ts';
import { takeDueSteps } from './drop/schedule/take-due-steps.ts';
import { stepVerbs } from './drop/steps/step-changes.ts';
import type { FairnessGuard } from './fairness/fairness.ts';
import { sweepCredits } from './fairness/sweep/sweep-credits.ts';
import { mailDigest } from './notifications/digest/mail-digest.ts';
import type { Mail } from './notifications/open-mail.ts';
import { deleteOldAddresses } from './rewards/rewards.ts';

type WorkOptions = {
  readonly config: Pick<Config, 'referralCredit' | 'publicUrl' | 'isMailingDigest'>;
  readonly brand: Brand;
  readonly database: Database;
  readonly fairness: FairnessGuard;
  readonly mail: Mail;
  readonly log: FastifyBaseLogger;
};

const MINUTE_MS = 60_000;

export function operatorWork({ config, brand, ...options }: WorkOptions): ScheduledWork[] {
  const { referralCredit, publicUrl, isMailingDigest } = config;
  const digest: ScheduledWork = {
    name: 'mailing the digest',
    everyMs: 10 * MINUTE_MS,
    run: () => mailDigest({ ...options, publicUrl, brandName: brand.name }),
  };
  return [
    {
      name: 'making offers',
      everyMs: 15_000,
      run: () => makeDueOffers(options),
    },
    {
      name: 'taking scheduled steps',
      everyMs: 1000,
      run: () => takeDueSteps({ ...options, publicUrl, brandName: brand.name, steps: stepVerbs }),
    },
    {
      name: 'looking back at credits',
      everyMs: MINUTE_MS,
      run: () => sweepCredits({ ...options, brand, referralCredit, maxMs: 10_000 }),
    },
    {
      name: 'deleting the addresses of sent rewards',
      everyMs: 60 * MINUTE_MS,
      run: () => deleteOldAddresses(options.database),
    },
    ...(isMailingDigest ? [digest] : []),
  ];
}
