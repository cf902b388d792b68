import type { Logger } from 'pino';
import type { Brand, BrandArt } from '../brand/brand-shape.ts';
import type { RenderMail } from '../contract/mails.ts';
import { openTokenCheck } from './access/operator-token.ts';
import { addAccess } from './access/routes.ts';
import { deleteEnded } from './access/secret-store.ts';
import { publishServerAddress } from './access/server-address.ts';
import { openDownloads } from './backup/downloads.ts';
import { addBackupGauges } from './backup/last-backup.ts';
import { addBackupRoutes } from './backup/routes.ts';
import { openLongChanges } from './changes/long-changes.ts';
import type { Operations } from './changes/operation.ts';
import { addChangeRoutes } from './changes/routes.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { explainCopy, withhold } from './db/possible-copy.ts';
import { openDrop } from './drop/module.ts';
import { openEngine } from './durable-work/work.ts';
import { countWork, WORK_GAUGES } from './durable-work/work-store.ts';
import { HOUR_MS, MINUTE_MS } from './durations.ts';
import { openFairnessModule } from './fairness/module.ts';
import { warnAboutForwarding } from './guard/limits/forwarding-warning.ts';
import { openLimits } from './guard/limits/limits.ts';
import { deleteExpiredCounts } from './guard/limits/store.ts';
import { addAdmission } from './http/admission/admission.ts';
import { REFUSAL_STYLE } from './http/admission/refusals.ts';
import { API_DOCS_STYLE, addApiDocs } from './http/api-docs.ts';
import { createHttpServer } from './http/create-server.ts';
import { addDatabaseGauges } from './http/database-gauges.ts';
import { SHUTTING_DOWN } from './http/graceful-shutdown.ts';
import { addHealthRoutes, openMetrics } from './http/health.ts';
import type { HttpServer } from './http/http-server.ts';
import { logFailure } from './http/request-log.ts';
import { computeSecurityHeaders } from './http/security-headers.ts';
import { refuseUnstorable } from './http/storable-text.ts';
import { answerUnknownRequests } from './http/unknown-requests.ts';
import { openCounters } from './line/funnel/counters.ts';
import { openLine } from './line/module.ts';
import { readRefusal } from './mail/delivery/mail-stop-store.ts';
import { loadSecretKey } from './mail/secret-key.ts';
import { mailKinds } from './mail-kinds.ts';
import { openMembers } from './members/module.ts';
import type { Module, Platform } from './module.ts';
import { openDevMailAccess } from './notifications/dev/access.ts';
import { openMailWatch } from './notifications/mails-of-change.ts';
import { openNotifications } from './notifications/module.ts';
import { openMail } from './notifications/open-mail.ts';
import { openOverview } from './overview/module.ts';
import { openRewards } from './rewards/module.ts';
import { openSite } from './site/module.ts';
import { openPages } from './site/pages/routes.ts';
import { readTemplates } from './site/pages/templates.ts';
import { artVersion as readArtVersion } from './site/share/brand-folder.ts';
import { openVisitors } from './visitors/module.ts';
import { openWebhooks } from './webhooks/module.ts';

type AppOptions = {
  readonly config: Config;
  readonly brand: Brand;
  readonly art: BrandArt;
  readonly brandDir: string;
  readonly database: Database;
  readonly renderMail: RenderMail;
  readonly operatorToken: string;
  readonly log: Logger | false;
  readonly siteDir: string;
};

export type App = Awaited<ReturnType<typeof createApp>>;

/** Throws a StartupError if the site is not built or the database has another secret key. */
export async function createApp(options: AppOptions) {
  const { config, brand, brandDir, database, operatorToken, siteDir } = options;
  const { publicUrl, dataDir, trustProxy } = config;

  const templates = await readTemplates(siteDir);
  const documents = [...Object.values(templates), API_DOCS_STYLE, REFUSAL_STYLE];
  const headers = computeSecurityHeaders({ publicUrl, documents });
  const artVersion = readArtVersion(brandDir);
  const pages = openPages({ brand, publicUrl, cardVersion: artVersion, templates });
  const server = createHttpServer({ ...options, headers, sendNotFound: pages.sendNotFound });
  const { log } = server;
  const metrics = openMetrics(server);
  metrics.watchAdmission(addAdmission(server, { config, headers }));
  metrics.watchDatabase(database);
  metrics.watchDisk(dataDir);
  addBackupGauges(metrics, dataDir);
  warnAboutForwarding(server, trustProxy);

  const secretKey = await loadSecretKey(config, database);
  const limits = await openLimits({
    config,
    database,
    secretKey,
    onFailure: (error) => logFailure(log, 'warn', error, 'rate limits are not shared'),
  });
  const counters = openCounters({
    database,
    onFailure: (error) => logFailure(log, 'warn', error, 'visits are not counted'),
  });
  const checkToken = openTokenCheck(operatorToken, limits);
  const devAccess = openDevMailAccess(server, { config, secretKey });

  let isShuttingDown = false;
  server.server.once(SHUTTING_DOWN, () => {
    isShuttingDown = true;
  });
  const isStopping = () => isShuttingDown;

  const engine = await openEngine({ database, log, isStopping });
  addDatabaseGauges(metrics.registry, WORK_GAUGES, () => countWork(database));

  const platform: Platform = {
    config,
    brand,
    database,
    secretKey,
    limits,
    metrics,
    log,
    engine,
    isStopping,
  };
  const mail = await openMail({
    ...platform,
    ...options,
    kinds: mailKinds,
    artVersion,
    counters,
    log,
  });
  const line = openLine(platform);
  const fairness = await openFairnessModule(platform);
  const watched = { line, networks: fairness.networks, counters };
  const visitors = openVisitors(platform, { ...watched, art: options.art, onJoined: mail.wake });
  const site = openSite(platform, {
    ...options,
    line,
    counters,
    artVersion,
    templates,
    pages,
    visitors,
  });
  const members = openMembers(platform, { templates, line, site, mail });
  const { images } = site;
  const modules: readonly Module[] = [
    line,
    fairness,
    visitors,
    site,
    members,
    openDrop(platform, { links: members.links, mail }),
    openRewards(platform, { links: members.links, mail }),
    openNotifications(platform, { ...options, mail, members, images, devAccess }),
    openWebhooks(platform),
    openOverview(platform, { mail }),
  ];
  const operations: Operations = Object.assign({}, ...modules.map((module) => module.operations));
  const watchMails = openMailWatch(platform);
  const longChanges = openLongChanges(engine, { database, operations, watchMails });
  const changes = { ...platform, operations, watchMails, longChanges };

  server.addHook('onClose', async () => {
    const closing = modules.map((module) => module.close?.());
    await Promise.all([engine.close(), ...closing, limits.close()]);
    await counters.close();
  });
  const refuseOtherMethods = answerUnknownRequests(server, pages.sendNotFound);
  await addApiDocs(server, brand);
  const { leaveProxies } = addHealthRoutes(server, database, {
    metrics,
    checkToken,
    readDetail: async () => (await explainCopy(database)) ?? (await readRefusal(database)),
  });
  for (const module of modules) await module.addRoutes?.(server);
  await server.register(async (operator: HttpServer) => {
    // There is no CORS, so pages of other origins cannot use these calls.
    operator.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    });
    refuseUnstorable(operator);
    addAccess(operator, platform, { checkToken, mail });
    const openDownload = openDownloads(operator, dataDir);
    for (const module of modules) module.addOperatorRoutes?.(operator, openDownload);
    addBackupRoutes(operator, platform, openDownload);
    addChangeRoutes(operator, changes);
  });
  publishServerAddress(server, dataDir);
  refuseOtherMethods();

  await server.ready();
  return {
    fastify: server,
    keptMailAddress: devAccess?.address ?? null,
    scheduledWork: [
      ...modules.flatMap(({ work = [] }) => work.map((job) => withhold(job, database))),
      { name: 'going on with work', everyMs: 1_000, run: engine.goOn },
      {
        name: 'deleting expired rate-limit counts',
        everyMs: MINUTE_MS,
        run: () => deleteExpiredCounts(database),
      },
      {
        name: 'deleting ended sessions and old links',
        everyMs: HOUR_MS,
        run: () => deleteEnded(database),
      },
    ],
    async flushCounters(): Promise<void> {
      await counters.flush();
    },
    /** Resolves when proxies that check its health send nothing more. */
    leaveProxies,
    close: (): Promise<void> => server.close(),
  };
}
