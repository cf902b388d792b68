import { HOUR_MS, MINUTE_MS } from '../durations.ts';
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
  const { config, database } = platform;
  const guard = await openFairness(platform);
  const lookups = openDomainLookups({ database, dnsServers: config.dnsServers });
  return {
    guard,
    addOperatorRoutes: (operator) => addCreditRoutes(operator, platform),
    operations: {
      'decide-credits': openDecideCredits(platform),
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
        run: () => refuseBounced(platform),
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
