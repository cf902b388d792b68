import type { BrandArt } from '../../brand/brand-shape.ts';
import { addDatabaseGauges } from '../http/database-gauges.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { Platform } from '../module.ts';
import { openFacesReader, openStatsReader } from './get-stats.ts';
import { guardJoins, type JoinOptions } from './guarded-join.ts';
import { guardInviters } from './inviter/guarded-inviter.ts';
import { addInviterRoutes } from './inviter/routes.ts';
import { addLiveRoutes } from './live/routes.ts';
import { addWaitlistRoutes } from './routes.ts';
import { guardVerification } from './verify-code.ts';

const GAUGES = {
  waitlist_members: 'Members in line.',
  waitlist_masks_available: 'Masks in stock that are promised to nobody.',
};

type VisitorsOptions = JoinOptions & { readonly art: Pick<BrandArt, 'coarsePaint'> };

export type Visitors = ReturnType<typeof openVisitors>;

export function openVisitors(platform: Platform, options: VisitorsOptions) {
  const { brand, database, limits, metrics } = platform;
  const { getStatus, verifyReferral } = options.line;
  const stats = openStatsReader(database, brand);
  const getFaces = openFacesReader(database, brand, options.art);
  const verifyCode = guardVerification({ limits, verifyReferral });
  const inviters = guardInviters(platform);
  const join = guardJoins(platform, options);
  addDatabaseGauges(metrics.registry, GAUGES, async () => {
    const { total_signups, available_masks } = await stats.getStats();
    return { waitlist_members: total_signups, waitlist_masks_available: available_masks };
  });
  return {
    join,
    verifyCode,
    inviters,
    async addRoutes(server: HttpServer) {
      const { getStats } = stats;
      addWaitlistRoutes(server, platform, { join, getStatus, getStats, getFaces, verifyCode });
      addInviterRoutes(server, { getStatus, inviters });
      await addLiveRoutes(server, platform, getStatus);
    },
    close: () => stats.close(),
  };
}
