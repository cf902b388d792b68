/** The process: settings, database, app, signals, and the few lines that a person reads at the start. */
import { fileURLToPath } from 'node:url';
import { ghostSvg } from '../brand/art/ghost.ts';
import { maskSvg } from '../brand/art/mask.ts';
import { brand } from '../brand/brand.ts';
import { devMailPaths } from '../contract/dev-mail-paths.ts';
import { type App, createApp } from './app.ts';
import { type Config, readConfig, readEnvironment } from './config.ts';
import type { Database } from './db/database.ts';
import { type Maintenance, startMaintenance } from './db/maintenance.ts';
import { openDatabase } from './db/open.ts';
import { describeError, openLog } from './http/request-log.ts';
import { sweepKeptMail } from './leaving/sweep-kept-mail.ts';
import { forgetCounts } from './limits/forget-counts.ts';
import { showsKeptMail } from './mail/dev/routes.ts';
import { loadMailRenderer } from './mail/load-renderer.ts';
import { lookForNews } from './news/look-for-news.ts';
import { loadOperatorToken } from './operator/token.ts';
import { StartupError } from './startup-error.ts';
import { forgetAnswers } from './waitlist/forget-answers.ts';
import { prepareLine } from './waitlist/prepare-line.ts';

/** How long the server may take to finish accepted work before it is ended. */
const STOP_DEADLINE_MS = 10_000;
/** Connections that may wait to be taken: with Node's 511, a thousand visitors at once have to knock again a second later. */
const BACKLOG = 4096;
/** Of what should be gone by now, such as answers kept for a day; an hour more does no harm. */
const CLEAN_EVERY_MS = 3_600_000;
/** How soon after they are credited members are told, at most. */
const NEWS_EVERY_MS = 60_000;
/** Counts of the limits are of no more use minutes after they were made. */
const COUNTS_EVERY_MS = 60_000;

async function main(): Promise<void> {
  const config = readConfig(readEnvironment());
  const log = openLog(config);
  const database = await openDatabase({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, log: console.log });
  await prepareLine(database, brand);
  const operatorToken = await loadOperatorToken(config.dataDir);
  const siteDir = fileURLToPath(new URL('../dist', import.meta.url));
  const art = { ghostSvg, maskSvg };
  const brandDir = fileURLToPath(new URL('../brand', import.meta.url));
  const renderMail = await loadMailRenderer(siteDir);
  const app = await createApp({ config, brand, art, brandDir, database, renderMail, operatorToken, log, siteDir });
  const maintenance = startMaintenance({
    database,
    work: [
      { name: 'forgetting old answers', everyMs: CLEAN_EVERY_MS, run: () => forgetAnswers(database) },
      {
        name: 'looking for news',
        everyMs: NEWS_EVERY_MS,
        run: async () => void (await lookForNews(database, { brand })),
      },
      { name: 'forgetting counts', everyMs: COUNTS_EVERY_MS, run: () => forgetCounts(database) },
      { name: 'sweeping kept mail', everyMs: CLEAN_EVERY_MS, run: () => sweepKeptMail(database, config) },
    ],
    onError: (work, error) => log.error({ error: describeError(error) }, `${work} failed`),
  });
  stopOnSignal({ app, maintenance, database });
  await listen(app, config);
  announce(config);
}

async function listen(app: App, { host, port }: Config): Promise<void> {
  try {
    await app.fastify.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    throw startupErrorOf(error, host, port) ?? error;
  }
}

function startupErrorOf(error: unknown, host: string, port: number): StartupError | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') return new StartupError(`Port ${port} on ${host} is taken: set PORT to a free one.`);
  if (code === 'EACCES')
    return new StartupError(`Port ${port} on ${host} may not be used by this user: set PORT above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartupError(`HOST ${host} is not an address of this machine.`);
  return null;
}

function announce(config: Config): void {
  const kept = `kept in ${config.dataDir}/mail (no SMTP_URL is set)`;
  const shown = showsKeptMail(config) ? `, read it at ${config.publicUrl}${devMailPaths.list()}` : '';
  console.log(`
${brand.name} is open at ${config.publicUrl}
  Data   ${config.databaseUrl === null ? config.dataDir : `PostgreSQL; token and mail in ${config.dataDir}`}
  Mail   ${config.smtpUrl === null ? kept + shown : `sent by ${new URL(config.smtpUrl).host}`}`);
  if (!config.isLimiting) console.warn('  LIMITS=off: nothing stops a flood of requests. For tests and benches only.');
}

function stopOnSignal({
  app,
  maintenance,
  database,
}: {
  app: App;
  maintenance: Maintenance;
  database: Database;
}): void {
  let isStopping = false;
  async function stop(): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    await app.close();
    await maintenance.stop();
    await database.close();
    process.exit(0);
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error);
  process.exit(1);
}
