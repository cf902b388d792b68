import { addCall } from '../access/add-call.ts';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import type { Module, Platform } from '../module.ts';
import { openDecideCredits } from './decide-change.ts';
import { listFirst, lookAtMemberOperation } from './first/list-first.ts';
import { refuseBounced } from './refuse-bounced.ts';
import { type JoinNetworks, openJoinNetworks } from './traces/join-networks.ts';
import { deleteOldTraces } from './traces/trace-store.ts';

export async function openFairnessModule(
  platform: Platform,
): Promise<Module & { readonly networks: JoinNetworks }> {
  const { database } = platform;
  const networks = await openJoinNetworks(platform);
  return {
    networks,
    addOperatorRoutes(operator) {
      addCall(operator, 'GET firstInLine', ({ query }) => listFirst(platform, query));
    },
    operations: {
      'decide-credits': openDecideCredits(platform),
      'look-at-member': lookAtMemberOperation,
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
    ],
    async close() {
      networks.close();
    },
  };
}
