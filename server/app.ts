/** The composition root: settings, brand and an open database in, an app out. No global state. */
import type { Logger } from 'pino';
import type { Brand, BrandArt } from '../brand/brand-shape.ts';
import type { RenderMail } from '../contract/mails.ts';
import { openTokenCheck } from './access/operator-token/token-check.ts';
import { publishServerAddress } from './access/server-address.ts';
import { addBackupGauges } from './backup/last-backup.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { ScheduledWork } from './db/scheduled-work.ts';
import { openDropStandings } from './drop/views/drop-standing.ts';
import { addDropRoutes } from './drop/views/routes.ts';
import { openFairness } from './fairness/fairness.ts';
import { warnAboutForwarding } from './guard/limits/forwarding-warning.ts';
import { openLimits } from './guard/limits/limits.ts';
import { openProofs } from './guard/proof/proofs.ts';
import { addAdmission } from './http/admission/admission.ts';
import { REFUSAL_STYLE } from './http/admission/refusals.ts';
import { API_DOCS_STYLE, addApiDocs } from './http/api-docs.ts';
import { createHttpServer } from './http/create-server.ts';
import { addHealthRoutes, openMetrics } from './http/health.ts';
import type { HttpServer } from './http/http-server.ts';
import { logFailure } from './http/request-log.ts';
import { computeSecurityHeaders } from './http/security-headers.ts';
import { answerUnknownRequests } from './http/unknown-requests.ts';
import { askSecondLook } from './line/credits/ask-second-look.ts';
import { openCounters } from './line/funnel/counters.ts';
import { openStatusReader } from './line/get-status.ts';
import { openJoinQueue } from './line/join/join.ts';
import { openReferralVerifier } from './line/referrals/verify-referral.ts';
import { loadSecretKey } from './mail/secret-key.ts';
import { addSuppressionRoutes } from './mail/suppression/routes.ts';
import { addMemberLinkRoutes } from './members/links/routes.ts';
import { openDevMailAccess } from './notifications/dev/access.ts';
import { addDevMailRoutes } from './notifications/dev/routes.ts';
import { openMail } from './notifications/open-mail.ts';
import { addOperatorRoutes } from './operator-routes.ts';
import { operatorWork } from './operator-work.ts';
import { addConsolePages } from './site/console-pages.ts';
import { addAssets } from './site/pages/assets.ts';
import { openGhostDrawer } from './site/pages/draw-ghost.ts';
import { addNativeForms } from './site/pages/native-forms.ts';
import { openPlainInvite } from './site/pages/plain-invite.ts';
import { openPlainStatus } from './site/pages/plain-status.ts';
import { addPageRoutes, openPages } from './site/pages/routes.ts';
import { readTemplates } from './site/pages/templates.ts';
import { artVersion } from './site/share/brand-folder.ts';
import { openRenderers } from './site/share/renderer.ts';
import { addShareRoutes, readNeutralCard } from './site/share/routes.ts';
import { openShareImages } from './site/share/share-images.ts';
import { openStatsReader } from './visitors/get-stats.ts';
import { guardJoins } from './visitors/guarded-join.ts';
import { guardInviters } from './visitors/inviter/guarded-inviter.ts';
import { addInviterRoutes } from './visitors/inviter/routes.ts';
import { addDropGauges, addLineGauges } from './visitors/line-gauges.ts';
import { addLiveRoutes } from './visitors/live/routes.ts';
import { addReferralRoutes } from './visitors/referral-routes.ts';
import { addWaitlistRoutes } from './visitors/routes.ts';
import { guardVerification } from './visitors/verify-code.ts';
import { openWebhooks } from './webhooks/open-webhooks.ts';

type AppOptions = {
  readonly config: Config;
  readonly brand: Brand;
  readonly art: BrandArt;
  /** The folder of the brand, for the thread that draws share images: functions cannot cross. */
  readonly brandDir: string;
  readonly database: Database;
  readonly renderMail: RenderMail;
  readonly operatorToken: string;
  readonly log: Logger | false;
  /** The built site: `site/` with its files, `pages/` with its prerendered pages. */
  readonly siteDir: string;
};

export type App = {
  readonly fastify: HttpServer;
  /** Where the person at this machine can read kept mail; null when nobody can. */
  readonly keptMailAddress: string | null;
  /** To be run while the app is open. */
  readonly scheduledWork: readonly ScheduledWork[];
  /** Adds to the database what was counted in the last seconds, and the traces of joins. */
  flushCounters(): Promise<void>;
  /** Finishes accepted requests, joins and mail, and refuses new ones. Keeps the database open. */
  close(): Promise<void>;
};

/** Throws a StartupError if the site is not built or the database has another secret key. */
export async function createApp({
  config,
  brand,
  art,
  brandDir,
  database,
  renderMail,
  operatorToken,
  log,
  siteDir,
}: AppOptions): Promise<App> {
  const { publicUrl, dataDir, referralCredit } = config;

  // Pages and the HTTP server
  const templates = await readTemplates(siteDir);
  const documents = [...Object.values(templates), API_DOCS_STYLE, REFUSAL_STYLE];
  const headers = computeSecurityHeaders({ publicUrl, documents });
  const cardVersion = artVersion(brandDir);
  const pages = openPages({ brand, publicUrl, cardVersion, templates });
  const server = createHttpServer({ config, log, headers, sendNotFound: pages.sendNotFound });
  const metrics = openMetrics(server);
  metrics.watchAdmission(addAdmission(server, { config, headers }));
  metrics.watchDatabase(database);
  addBackupGauges(metrics.registry, dataDir);

  // Guards
  warnAboutForwarding(server, config.trustProxy);
  const secretKey = await loadSecretKey(config, database);
  const limits = await openLimits({
    config,
    database,
    secretKey,
    onFailure: (error) => logFailure(server.log, 'warn', error, 'rate limits are not shared'),
  });
  const fairness = await openFairness({
    config,
    fairness: brand.fairness,
    database,
    secretKey,
    onFailure: (error) => logFailure(server.log, 'warn', error, 'traces of joins are not kept'),
  });
  const counters = openCounters({
    database,
    onFailure: (error) => logFailure(server.log, 'warn', error, 'visits are not counted'),
  });
  const devMail = openDevMailAccess(server, { config, secretKey });
  const checkToken = openTokenCheck({ operatorToken, limits });

  // Mail and share images
  const mail = await openMail({
    config,
    brand,
    database,
    secretKey,
    artVersion: cardVersion,
    renderMail,
    registry: metrics.registry,
    counters,
    log: server.log,
  });
  const webhooks = openWebhooks({
    config,
    brand,
    database,
    secretKey,
    registry: metrics.registry,
    log: server.log,
  });
  const renderers = openRenderers({
    brandDir,
    onFailure: (error) =>
      logFailure(server.log, 'error', error, 'a share image could not be drawn'),
  });
  const images = openShareImages(renderers);
  server.addHook('onListen', async () => renderers.svgs.warmUp());
  metrics.watchImageCache(images.cachedBytes);

  // The line
  const joinedMail = referralCredit === 'confirm' ? 'confirm' : 'welcome';
  const joinQueue = openJoinQueue({
    database,
    brand,
    referralCredit,
    holdThreshold: brand.fairness.holdAt,
    joinedMail: brand.mails[joinedMail].isOn ? joinedMail : null,
    knownMail: brand.mails['status-link'].isOn ? 'status-link' : null,
  });
  const { getStatus, close: closeStatus } = openStatusReader({ database, brand, referralCredit });
  const { getStats, close: closeStats } = openStatsReader(database, brand);
  addLineGauges(metrics.registry, getStats);
  addDropGauges(metrics.registry, database);
  const { verifyReferral, close: closeVerifier } = openReferralVerifier({
    database,
    inviterEmail: config.inviterEmail,
  });
  const verifyCode = guardVerification({ limits, verifyReferral });
  const ghosts = openGhostDrawer({ maskSvg: art.maskSvg, images, verifyCode });
  const join = guardJoins({
    limits,
    fairness,
    proofs: openProofs({ secretKey }),
    joinQueue,
    onAnswer({ statusCode }, risk) {
      mail.wake();
      metrics.countJoin(statusCode === 201 ? 'joined' : 'already_registered');
      if (risk !== 'prove') return;
      metrics.countProof();
      counters.countEvent('proof_brought');
    },
    onRefusal: (reason) =>
      counters.countEvent(reason === 'limited' ? 'join_limited' : 'proof_asked'),
  });

  server.addHook('onClose', async () => {
    await Promise.all([
      joinQueue.close(),
      closeStatus(),
      closeStats(),
      closeVerifier(),
      renderers.close(),
      mail.stop(),
      webhooks.stop(),
      limits.close(),
      fairness.close(),
    ]);
    // Last: the mails that were under way count too.
    await counters.close();
  });

  // Routes
  const refuseOtherMethods = answerUnknownRequests(server, pages.sendNotFound);
  await addApiDocs(server, brand);
  addWaitlistRoutes(server, {
    publicUrl,
    join,
    getStatus,
    askSecondLook: (memberId) => askSecondLook(database, memberId),
    getStats,
    limits,
  });
  addReferralRoutes(server, verifyCode);
  const inviters = guardInviters({ config, brand, database, limits, fairness });
  addInviterRoutes(server, { getStatus, inviters });
  addDropRoutes(server, { database, limits, publicUrl, brand });
  await addLiveRoutes(server, { config, database, getStatus, registry: metrics.registry });
  addHealthRoutes(server, { database, metrics, checkToken });
  const getStanding = openDropStandings(database, brand);
  const site = { publicUrl, brand, templates, ghosts, inviters };
  const plainPages = {
    sendPlainStatus: openPlainStatus({ ...site, getStatus, getStanding }),
    sendPlainInvite: openPlainInvite({ templates, ghosts, verifyCode }),
  };
  const onPageSent = fairness.notePage;
  addPageRoutes(server, pages, { ...site, ...plainPages, counters, onPageSent });
  await addNativeForms(server, { ...site, ...plainPages, pages, join });
  addShareRoutes(server, {
    brandName: brand.name,
    publicUrl,
    images,
    version: cardVersion,
    neutralCard: await readNeutralCard(siteDir),
    verifyCode,
    getStatus,
    counters,
  });
  await addAssets(server, `${siteDir}/site`);

  await addMemberLinkRoutes(server, {
    ...config,
    brand,
    ghosts,
    templates,
    database,
    secretKey,
    limits,
  });
  const { mailWebhookSecret } = config;
  await addSuppressionRoutes(server, { database, secretKey, mailWebhookSecret, limits });
  addDevMailRoutes(server, { config, access: devMail, brand, brandDir, renderMail, images });

  await addConsolePages(server, siteDir);
  await addOperatorRoutes(server, {
    database,
    brand,
    dataDir,
    referralCredit,
    secretKey,
    publicUrl,
    mail,
    getStatus,
    limits,
    webhooks,
    checkToken,
  });
  publishServerAddress(server, dataDir);
  refuseOtherMethods();

  await server.ready();
  return {
    fastify: server,
    keptMailAddress: devMail?.address ?? null,
    scheduledWork: operatorWork({ config, brand, database, fairness, mail, log: server.log }),
    async flushCounters() {
      await Promise.all([counters.flush(), fairness.flush()]);
    },
    close: () => server.close(),
  };
}
