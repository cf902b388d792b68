import type { Overview, OverviewHealth } from '../../contract/operator/overview.ts';
import { addCall } from '../access/add-call.ts';
import type { HttpServer } from '../http/http-server.ts';
import { keepAnswers } from '../http/recent-answers.ts';
import type { Module, Platform } from '../module.ts';
import type { Mail } from '../notifications/open-mail.ts';
import { getStats } from '../visitors/get-stats.ts';
import { getHealth } from './get-health.ts';
import { getOverview } from './get-overview.ts';
import { pinOperations } from './pin-source.ts';
import { verifyWaitlist } from './verify-waitlist.ts';

const CACHED = { forMs: 2_000, maxKeys: 20 };
const CACHED_HEALTH = { forMs: 10_000, maxKeys: 1 };
/** Past days change when an old list is imported. */
const CACHED_DAYS = { forMs: 300_000, maxKeys: 2_000 };

export function openOverview(
  platform: Platform,
  { mail }: { readonly mail: Pick<Mail, 'readBacklog'> },
): Module {
  return {
    addOperatorRoutes(operator) {
      addOverviewRoutes(operator, platform, mail);
      addLineRoutes(operator, platform);
    },
    operations: pinOperations,
  };
}

function addOverviewRoutes(
  server: HttpServer,
  platform: Platform,
  mail: Pick<Mail, 'readBacklog'>,
): void {
  const overviews = keepAnswers<Overview>(CACHED);
  const health = keepAnswers<OverviewHealth>(CACHED_HEALTH);
  const pastDays = keepAnswers<readonly unknown[]>(CACHED_DAYS);

  addCall(server, 'GET overview', ({ query }) =>
    overviews(JSON.stringify(query), () => getOverview(platform.database, query, pastDays)),
  );
  addCall(server, 'GET overviewHealth', () => health('', () => getHealth(platform, mail)));
}

function addLineRoutes(server: HttpServer, { database, brand }: Platform): void {
  addCall(server, 'GET counts', async () => {
    const { total_signups, available_masks, top_referrers } = await getStats(database, brand);
    const best_referral_count = top_referrers[0]?.referrals ?? 0;
    return { members: total_signups, available_masks, best_referral_count };
  });
  addCall(server, 'POST verify', ({ query }, reply) => {
    reply.raw.socket?.setTimeout?.(0);
    return verifyWaitlist(database, query.audit_head);
  });
}
