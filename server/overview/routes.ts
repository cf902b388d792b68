/** The operator's overview. */
import type { Brand } from '../../brand/brand-shape.ts';
import { Counts } from '../../contract/operator/members.ts';
import { Overview, OverviewHealth, OverviewRequest } from '../../contract/operator/overview.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { Verification, VerifyRequest } from '../../contract/operator/verification.ts';
import { ErrorBody } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from '../http/http-server.ts';
import { keepAnswers } from '../http/recent-answers.ts';
import type { Mail } from '../notifications/open-mail.ts';
import { getStats } from '../visitors/get-stats.ts';
import { getHealth } from './get-health.ts';
import { getOverview } from './get-overview.ts';
import { verifyWaitlist } from './verify-waitlist.ts';

type OverviewOptions = {
  readonly database: Database;
  readonly brand: Brand;
  readonly dataDir: string;
  readonly mail: Pick<Mail, 'readBacklog'>;
};

const TAGS = ['Overview'];
const KEEP = { forMs: 2_000, maxKeys: 20 };
/** The size of the database and of the backlog change slowly. */
const KEEP_HEALTH = { forMs: 10_000, maxKeys: 1 };
/** Past days change when an old list is imported. */
const KEEP_DAYS = { forMs: 300_000, maxKeys: 2_000 };

export function addOverviewRoutes(server: HttpServer, options: OverviewOptions): void {
  const overviews = keepAnswers<Overview>(KEEP);
  const health = keepAnswers<OverviewHealth>(KEEP_HEALTH);
  const pastDays = keepAnswers<readonly unknown[]>(KEEP_DAYS);

  server.get(
    operatorPaths.overview,
    {
      config: { access: 'read' },
      schema: {
        tags: TAGS,
        summary: 'Members, visits, invites and sources, by hour or day of a time zone',
        querystring: OverviewRequest,
        response: { 200: Overview, 400: ErrorBody, 422: ErrorBody },
      },
    },
    async ({ query }) =>
      overviews(JSON.stringify(query), () => getOverview(options.database, query, pastDays)),
  );

  server.get(
    operatorPaths.overviewHealth,
    {
      config: { access: 'read' },
      schema: {
        tags: TAGS,
        summary: 'Stock, mail, guards, database and backups',
        response: { 200: OverviewHealth },
      },
    },
    async () => health('', () => getHealth(options)),
  );

  server.get(
    operatorPaths.counts,
    {
      config: { access: 'read' },
      schema: {
        tags: ['Members'],
        summary: 'Members in line, masks remaining, top referrer',
        response: { 200: Counts },
      },
    },
    async () => {
      const { total_signups, available_masks, top_referrers } = await getStats(
        options.database,
        options.brand,
      );
      return {
        members: total_signups,
        available_masks,
        best_referral_count: top_referrers[0]?.referrals ?? 0,
      };
    },
  );

  server.post(
    operatorPaths.verify,
    {
      config: { access: 'read' },
      schema: {
        tags: ['Members'],
        summary: 'Recompute every position, point and count, and the audit log',
        description: 'Changes nothing. Lists what differs.',
        querystring: VerifyRequest,
        response: { 200: Verification, 422: ErrorBody },
      },
    },
    async ({ query }, reply) => {
      // Takes longer than the idle timeout. An injected request has no socket.
      reply.raw.socket?.setTimeout?.(0);
      return await verifyWaitlist(options.database, options.brand, query.audit_head);
    },
  );
}
