import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { logFailure } from '../http/request-log.ts';
import type { Module, Platform } from '../module.ts';
import { holdCodeOperation, releaseCodeOperation } from './code-holds.ts';
import { openDecideCredits } from './decide-change.ts';
import { type FairnessGuard, openFairness } from './fairness.ts';
import { addCreditRoutes } from './queue/routes.ts';
import { sweepCredits } from './sweep/sweep-credits.ts';
import { deleteOldTraces } from './traces/trace-store.ts';
import { distrustNetworkOperation, trustNetworkOperation } from './trusted-networks.ts';

export async function openFairnessModule(
  platform: Platform,
): Promise<Module & { readonly guard: FairnessGuard }> {
  const { config, brand, database, log } = platform;
  const { referralCredit } = config;
  const guard = await openFairness({
    ...platform,
    fairness: brand.fairness,
    onFailure: (error) => logFailure(log, 'warn', error, 'traces of joins are not kept'),
  });
  return {
    guard,
    addOperatorRoutes: (operator) => addCreditRoutes(operator, { database, brand }),
    operations: {
      'decide-credits': openDecideCredits({ database, brand, referralCredit }),
      'hold-code': holdCodeOperation,
      'release-code': releaseCodeOperation,
      'trust-network': trustNetworkOperation,
      'distrust-network': distrustNetworkOperation,
    },
    work: [
      {
        name: 're-evaluating credits',
        everyMs: MINUTE_MS,
        run: () =>
          sweepCredits({ database, brand, referralCredit, fairness: guard, maxMs: 10_000 }),
      },
      {
        name: 'deleting old traces of joins',
        everyMs: HOUR_MS,
        run: () => deleteOldTraces(database),
      },
    ],
    close: () => guard.close(),
  };
}
