import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { logFailure } from '../http/request-log.ts';
import type { Module, Platform } from '../module.ts';
import { holdCodeOperation, releaseCodeOperation } from './code-holds.ts';
import { openDecideCredits } from './decide-change.ts';
import { type FairnessGuard, openFairness } from './fairness.ts';
import { lookAtMemberOperation } from './first/list-first.ts';
import { openDomainLookups } from './mailboxes/look-up-domains.ts';
import { addCreditRoutes } from './queue/routes.ts';
import { refuseBounced } from './refuse-bounced.ts';
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
  const lookups = openDomainLookups({ database, dnsServers: config.dnsServers });
  return {
    guard,
    addOperatorRoutes: (operator) => addCreditRoutes(operator, { database, brand, referralCredit }),
    operations: {
      'decide-credits': openDecideCredits({ database, brand, referralCredit }),
      'hold-code': holdCodeOperation,
      'release-code': releaseCodeOperation,
      'look-at-member': lookAtMemberOperation,
      'trust-network': trustNetworkOperation,
      'distrust-network': distrustNetworkOperation,
    },
    work: [
      {
        name: 'refusing credits of bounced addresses',
        everyMs: MINUTE_MS,
        run: () => refuseBounced({ database, brand, referralCredit }),
      },
      {
        name: 'deleting old traces of joins',
        everyMs: HOUR_MS,
        run: () => deleteOldTraces(database),
      },
      {
        name: 'looking up the mail servers of friends',
        everyMs: MINUTE_MS,
        run: () => lookups.run(),
      },
    ],
    async close() {
      lookups.close();
      await guard.close();
    },
  };
}
