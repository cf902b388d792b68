/** The composition root: settings, brand and an open database in, an app out. Nothing is global. */
import type { Logger } from 'pino';
import type { Brand, BrandArt } from '../brand/brand-shape.ts';
import type { MailKind, RenderMail } from '../contract/mails.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { addAdmission } from './http/admission/admission.ts';
import { REFUSAL_STYLE } from './http/admission/refusals.ts';
import { API_DOCS_STYLE, addApiDocs } from './http/api-docs.ts';
import { addHealthRoutes, openMetrics } from './http/health.ts';
import { createHttpServer, type HttpServer } from './http/http-server.ts';
import { describeError } from './http/request-log.ts';
import { computeSecurityHeaders } from './http/security-headers.ts';
import { answerUnknownRequests } from './http/unknown-requests.ts';
import { addLeavingRoutes } from './leaving/routes.ts';
import { warnOfForwarding } from './limits/forwarding-warning.ts';
import { openLimits } from './limits/limits.ts';
import { addDevMailRoutes } from './mail/dev/routes.ts';
import { openMail } from './mail/open-mail.ts';
import { loadSecretKey } from './mail/secret-key.ts';
import { addSuppressionRoutes } from './mail/suppression/routes.ts';
import { addOperatorRoutes } from './operator/routes.ts';
import { publishServerAddress } from './operator/server-address.ts';
import { openTokenCheck } from './operator/token-check.ts';
import { addAssets } from './pages/assets.ts';
import { addNativeForms } from './pages/native-forms.ts';
import { addPageRoutes, openPages } from './pages/routes.ts';
import { readTemplates } from './pages/templates.ts';
import { openProofs } from './proof/proofs.ts';
import { addReferralRoutes } from './referrals/routes.ts';
import { openReferralVerifier } from './referrals/verify-referral.ts';
import { artVersion, loadCardStyle } from './share/brand-folder.ts';
import { openRenderer } from './share/renderer.ts';
import { addShareRoutes, readNeutralCard } from './share/routes.ts';
import { openShareImages } from './share/share-images.ts';
import { openStatsReader } from './waitlist/get-stats.ts';
import { openStatusReader } from './waitlist/get-status.ts';
import { openJoinQueue } from './waitlist/join.ts';
import { addWaitlistRoutes } from './waitlist/routes.ts';
import { openTakeJoin } from './waitlist/take-join.ts';

type AppOptions = {
  readonly config: Config;
  readonly brand: Brand;
  readonly art: BrandArt;
  /** The folder of the same brand: share images are drawn on a thread of their own, which can be handed no functions. */
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
  /** Refuses new requests, finishes the accepted ones with their joins and mail; the database stays open. */
  close(): Promise<void>;
};

/** Throws a StartupError when the site is not built, or when the database belongs to another secret key. */
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
  const { publicUrl } = config;
  const templates = await readTemplates(siteDir);
  const documents = [...Object.values(templates), API_DOCS_STYLE, REFUSAL_STYLE];
  const headers = computeSecurityHeaders({ publicUrl, documents });
  const cardVersion = artVersion(brandDir);
  const pages = openPages({ brand, art, publicUrl, cardVersion, templates });
  const server = createHttpServer({ config, log, headers, sendNotFound: pages.sendNotFound });
  warnOfForwarding(server, config.trustProxy);
  const admission = addAdmission(server, headers);
  const metrics = openMetrics(server);
  metrics.watchAdmission(admission);
  const secretKey = await loadSecretKey(config, database);
  const limits = await openLimits({
    config,
    database,
    secretKey,
    onFailure: (error) => server.log.warn({ error: describeError(error) }, 'limits are counted by this server alone'),
  });
  const checkToken = openTokenCheck({ operatorToken, limits });
  const renderer = openRenderer({
    brandDir,
    onFailure: (error) => server.log.error({ error: describeError(error) }, 'a share image was not drawn'),
  });
  const images = openShareImages(renderer);
  metrics.watchKeptImages(images.keptBytes);
  const mail = await openMail({
    config,
    brand,
    database,
    secretKey,
    artVersion: cardVersion,
    renderMail,
    registry: metrics.registry,
    log: server.log,
  });
  const kindIfOn = (kind: MailKind) => (brand.mails[kind].isOn ? kind : null);
  const { referralCredit } = config;
  const joinQueue = openJoinQueue({
    database,
    brand,
    referralCredit,
    joinedMail: kindIfOn(referralCredit === 'confirm' ? 'confirm' : 'welcome'),
    knownMail: kindIfOn('status-link'),
  });
  const statusReader = openStatusReader({ database, brand, referralCredit });
  const statsReader = openStatsReader(database);
  const verifier = openReferralVerifier({ database, inviterEmail: config.inviterEmail });
  const takeJoin = openTakeJoin({
    limits,
    proofs: openProofs({ secretKey }),
    joinQueue,
    onTaken({ statusCode }, risk) {
      if (risk === 'prove') metrics.countProof();
      mail.wake();
      metrics.countJoin(statusCode === 201 ? 'joined' : 'already_registered');
    },
  });

  publishServerAddress(server, config.dataDir);
  server.addHook('onClose', async () => {
    await Promise.all([
      joinQueue.close(),
      statusReader.close(),
      statsReader.close(),
      verifier.close(),
      renderer.close(),
      mail.stop(),
      limits.close(),
    ]);
  });

  const refuseOtherMethods = answerUnknownRequests(server, pages.sendNotFound);
  await addApiDocs(server, brand);
  addWaitlistRoutes(server, { takeJoin, getStatus: statusReader.getStatus, getStats: statsReader.getStats });
  addReferralRoutes(server, {
    limits,
    verifyReferral: verifier.verifyReferral,
  });
  await addOperatorRoutes(server, { database, brand, dataDir: config.dataDir, secretKey, checkToken });
  addHealthRoutes(server, { database, metrics, checkToken });
  addPageRoutes(server, pages, { brand, publicUrl, templates });
  addShareRoutes(server, {
    style: await loadCardStyle(brandDir),
    publicUrl,
    images,
    version: cardVersion,
    neutralCard: await readNeutralCard(siteDir),
    limits,
    isMembersCode: async (code) => (await verifier.verifyReferral(code)).valid,
    getStatus: statusReader.getStatus,
  });
  await addLeavingRoutes(server, {
    brand,
    art,
    templates,
    database,
    secretKey,
    publicUrl,
    dataDir: config.dataDir,
    limits,
  });
  const { mailWebhookSecret } = config;
  await addSuppressionRoutes(server, { database, secretKey, mailWebhookSecret, limits });
  addDevMailRoutes(server, { config, brand, brandDir, renderMail, images });
  await addNativeForms(server, { publicUrl, pages, takeJoin });
  await addAssets(server, siteDir);
  refuseOtherMethods();
  await server.ready();
  return { fastify: server, close: () => server.close() };
}
