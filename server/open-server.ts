/** Opens all that a server consists of, for a process of its own and for tests in theirs. */
import { once } from 'node:events';
import { type AddressInfo, createServer, isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { coarsePaint, ghostSvg } from '../brand/art/ghost.ts';
import { maskSvg } from '../brand/art/mask.ts';
import { brand } from '../brand/brand.ts';
import { signInPath } from '../contract/operator/paths.ts';
import { hasOperators } from './access/operator-store.ts';
import { loadOperatorToken } from './access/operator-token.ts';
import { createFirstOwnerLink } from './access/sign-in.ts';
import { createApp } from './app.ts';
import { backUpBeforeUpgrade } from './backup/back-up-before-upgrade.ts';
import type { Config } from './config.ts';
import { openUpkeep } from './db/embedded/embedded-upkeep.ts';
import { openDatabase } from './db/open.ts';
import { explainCopy, noteHome } from './db/possible-copy.ts';
import { DISK_FULL } from './db/postgres/is-unavailable-error.ts';
import { repeat } from './db/scheduled-work.ts';
import { prepareSizes } from './drop/stock/stock.ts';
import { describeError, logFailure } from './http/request-log.ts';
import { loadMailRenderer } from './notifications/open-mail.ts';
import { checkBrand } from './site/brand/check-brand.ts';
import { describeExamples } from './site/brand/describe-examples.ts';
import { describeOldMedia } from './site/brand/made-media.ts';
import { codeOf, StartupError } from './startup-error.ts';
import type { Terminal } from './terminal.ts';

/** Accept queue: Node's default of 511 overflows at 1,000 simultaneous visitors. */
const BACKLOG = 4096;

type ServerOptions = {
  readonly config: Config;
  readonly siteDir: string;
  /** The socket that systemd holds, or null. */
  readonly passedSocket: number | null;
  readonly log: Logger;
  /** Shows people what happens at the start. */
  readonly terminal: Omit<Terminal, 'fatal'>;
};

/** Opens it without listening yet. Throws a StartupError. */
export async function openServer(options: ServerOptions) {
  const { config, siteDir, passedSocket, log, terminal } = options;
  const brandDir = fileURLToPath(new URL('../brand', import.meta.url));
  checkBrand(brand, brandDir);
  if (passedSocket === null) await assertPortIsFree(config);
  const database = await openDatabase({
    ...config,
    log: terminal.log,
    isServer: true,
    backUp: (opened) => backUpBeforeUpgrade(config, opened),
    outages: {
      onAway: (error) =>
        log.warn(
          { error: describeError(error) },
          codeOf(error) === DISK_FULL ? 'the disk of the database is full' : 'the database is away',
        ),
      onBack: (seconds) => log.warn({ seconds: Math.round(seconds) }, 'the database is back'),
    },
  });
  await noteHome(database, config);
  const warnings = [
    await explainCopy(database),
    await prepareSizes(database, brand),
    describeOldMedia(brand, brandDir),
    ...describeExamples(brand),
  ];
  for (const warning of warnings) if (warning !== null) terminal.warn(warning);
  const app = await createApp({
    config,
    brand,
    art: { coarsePaint, ghostSvg, maskSvg },
    brandDir,
    database,
    renderMail: await loadMailRenderer(siteDir),
    operatorToken: await loadOperatorToken(config),
    log,
    siteDir,
  });
  const { dataDir } = config;
  const upkeep = database.engine === 'embedded' ? [openUpkeep({ database, dataDir })] : [];
  const stopWork = repeat([...upkeep, ...app.scheduledWork], (work, error) =>
    logFailure(log, 'error', error, `${work} failed`),
  );

  /** Whoever reads a kept log later must not find a link that makes its holder the owner. */
  async function describeOwner(): Promise<string> {
    if (await hasOperators(database.kysely)) return '';
    if (!terminal.isWatched) return '\nThere is no owner yet. Become it: ./waitlist sign-in';
    const link = await createFirstOwnerLink(database);
    return `

There is no owner yet. Whoever opens this first, within 15 minutes, becomes the owner:
  ${config.publicUrl}${signInPath(link?.secret)}
A new one: ./waitlist sign-in`;
  }

  return {
    async listen(): Promise<void> {
      const { host, port } = config;
      const place = passedSocket === null ? { host, port } : { fd: passedSocket };
      await orStartupError(config, app.fastify.listen({ ...place, backlog: BACKLOG }));
      if (passedSocket !== null) assertAddress(config, app.fastify.server.address());
      // One write, so that a program that waits for the address finds the link beside it.
      const owner = await describeOwner();
      terminal.log(describeOpen(config, app.keptMailAddress, owner));
      if (!config.isLimiting)
        terminal.warn('  LIMITS=off: rate limits are off. For tests and benchmarks only.');
    },
    async close(): Promise<void> {
      // In a held socket connections wait for the next process instead.
      if (passedSocket === null && config.trustProxy.length > 0) await app.leaveProxies();
      await app.close();
      await stopWork();
      await database.close();
    },
  };
}

/** A first start takes seconds, and must not leave half of it: the port is checked first. */
async function assertPortIsFree(config: Config): Promise<void> {
  const { host, port } = config;
  const probe = createServer();
  await orStartupError(config, once(probe.listen({ host, port }), 'listening'));
  probe.close();
}

/** Throws where systemd holds a socket at which nobody would look for the server. */
function assertAddress({ host, port }: Config, held: AddressInfo | string | null): void {
  if (held === null || typeof held === 'string') return;
  if (held.port === port && (isIP(host) === 0 || host === held.address)) return;
  throw new StartupError(
    `waitlist.socket has ${held.address} and port ${held.port}, but HOST is ${host} and PORT ` +
      `${port}. Make them the same.`,
  );
}

async function orStartupError(config: Config, listening: Promise<unknown>): Promise<void> {
  await listening.catch((error: unknown) => {
    throw startupErrorOf(error, config) ?? error;
  });
}

function startupErrorOf(error: unknown, { host, port }: Config): StartupError | null {
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return new StartupError(`Port ${port} on ${host} is in use. Set PORT to a free one.`);
  if (code === 'EACCES')
    return new StartupError(
      `This user is not allowed to listen on port ${port} of ${host}. Set PORT above 1023.`,
    );
  if (/^(?:EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/.test(code))
    return new StartupError(`HOST ${host} is not an address of this machine.`);
  return null;
}

function describeOpen(config: Config, keptMailAddress: string | null, owner: string): string {
  const { databaseUrl, dataDir, smtpUrl, publicUrl } = config;
  const data = databaseUrl === null ? dataDir : `PostgreSQL; token and mail in ${dataDir}`;
  const read = keptMailAddress === null ? '' : `, read it at ${keptMailAddress}`;
  const mail =
    smtpUrl === null
      ? `kept in ${dataDir}/mail (SMTP_URL is not set)${read}`
      : `sent through ${new URL(smtpUrl).host}`;
  return `
${brand.name} is open at ${publicUrl}
  Data   ${data}
  Mail   ${mail}${owner}`;
}
