import type { FairnessGuard } from '../fairness/fairness.ts';
import { openProofs } from '../guard/proof/proofs.ts';
import { addDatabaseGauges } from '../http/database-gauges.ts';
import { askSecondLook } from '../line/credits/credit-store.ts';
import type { Counters } from '../line/funnel/counters.ts';
import type { Line } from '../line/module.ts';
import type { Module, Platform } from '../module.ts';
import { openStatsReader } from './get-stats.ts';
import { type GuardedJoin, guardJoins } from './guarded-join.ts';
import { guardInviters, type Inviters } from './inviter/guarded-inviter.ts';
import { addInviterRoutes } from './inviter/routes.ts';
import { addLiveRoutes } from './live/routes.ts';
import { addWaitlistRoutes } from './routes.ts';
import { guardVerification, type VerifyCode } from './verify-code.ts';

type VisitorOptions = {
  readonly line: Line;
  readonly fairness: FairnessGuard;
  readonly counters: Counters;
  readonly onJoined: () => void;
};

export type Visitors = Module & {
  readonly join: GuardedJoin;
  readonly verifyCode: VerifyCode;
  readonly inviters: Inviters;
};

const GAUGES = {
  waitlist_members: 'Members in line.',
  waitlist_masks_available: 'Masks in stock that are promised to nobody.',
};

export function openVisitors(
  platform: Platform,
  { line, fairness, counters, onJoined }: VisitorOptions,
): Visitors {
  const { config, brand, database, secretKey, limits, metrics } = platform;
  const { joinQueue, getStatus, verifyReferral } = line;
  const stats = openStatsReader(database, brand);
  const verifyCode = guardVerification({ limits, verifyReferral });
  const inviters = guardInviters({ config, brand, database, limits, fairness });
  const join = guardJoins({
    limits,
    fairness,
    proofs: openProofs({ secretKey }),
    joinQueue,
    onAnswer({ statusCode }, risk) {
      onJoined();
      metrics.countJoin(statusCode === 201 ? 'joined' : 'already_registered');
      if (risk !== 'prove') return;
      metrics.countProof();
      counters.countEvent('proof_brought');
    },
    onRefusal: (reason) =>
      counters.countEvent(reason === 'limited' ? 'join_limited' : 'proof_asked'),
  });
  addDatabaseGauges(metrics.registry, GAUGES, async () => {
    const { total_signups, available_masks } = await stats.getStats();
    return { waitlist_members: total_signups, waitlist_masks_available: available_masks };
  });
  return {
    join,
    verifyCode,
    inviters,
    async addRoutes(server) {
      addWaitlistRoutes(server, {
        publicUrl: config.publicUrl,
        join,
        getStatus,
        askSecondLook: (memberId) => askSecondLook(database, memberId),
        getStats: stats.getStats,
        verifyCode,
        limits,
      });
      addInviterRoutes(server, { getStatus, inviters });
      await addLiveRoutes(server, { config, database, getStatus, registry: metrics.registry });
    },
    close: () => stats.close(),
  };
}
