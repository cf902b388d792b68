/**
 * `npm run bench:mail`: joins while thousands of queued mails drain, beside the same joins with an
 * empty queue, on both engines. Writes bench/MAIL.md.
 * Options: --mails, --seconds, --results FILE.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { openDatabase } from '../server/db/open.ts';
import { createDatabase } from '../test/support/postgres-databases.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { fill, type Place, startProduct, thisCheckout, writeSample } from './checkout.ts';
import { runLaunch } from './load/launch.ts';
import type { Sample } from './members/read-sample.ts';
import { short, table, whole } from './report/markdown.ts';
import { describeMachine } from './report/records.ts';

const { values } = parseArgs({
  options: {
    mails: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '50' },
    results: { type: 'string', default: fileURLToPath(new URL('MAIL.md', import.meta.url)) },
  },
});
const [mails, seconds] = [Number(values.mails), Number(values.seconds)];

const JOINS_PER_SECOND = 50;
const MAILS_PER_SECOND = 200;
const MEMBERS = 10_000;
/** Joins of one batch. */
const BATCH = 20;
/** Past the start of the server, which is not what is measured. */
const SETTLE_MS = 3_000;

type Run = {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** During the joins. */
  readonly mailsPerSecond: number;
  /** From the first join until all that was queued had been sent. */
  readonly drainedInSeconds: number;
};

let received = 0;
/** Takes everything. */
const sink = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  logger: false,
  onData(stream, _session, done) {
    received += 1;
    stream.resume();
    stream.on('end', done);
  },
});

async function measureJoins(place: Place, sinkUrl: string): Promise<Run> {
  const settings = { LIMITS: 'off', SMTP_URL: sinkUrl, MAIL_RATE: String(MAILS_PER_SECOND) };
  const server = await startProduct(thisCheckout, place, settings);
  await pause(SETTLE_MS);
  const [receivedBefore, startedAt] = [received, performance.now()];
  const elapsedSeconds = () => (performance.now() - startedAt) / 1000;
  // An open loop: a slow answer does not thin out the joins that follow.
  const { steps, failures } = await runLaunch({
    port: server.port,
    people: JOINS_PER_SECOND * seconds,
    seconds,
    rushSeconds: seconds,
    rushShare: 1,
    pausesMs: [0],
    looksAtPage: false,
  });
  const mailsPerSecond = (received - receivedBefore) / elapsedSeconds();
  if (Object.keys(failures).length > 0)
    throw new Error(`Joins failed: ${JSON.stringify(failures)}`);
  const token = readFileSync(join(place.dataDir, 'operator-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const readMetrics = async () => (await fetch(`${server.url}/metrics`, { headers })).text();
  while (!/^waitlist_mails_waiting 0$/m.test(await readMetrics())) await pause(250);
  const drainedInSeconds = elapsedSeconds();
  await server.stop();
  return { ...steps.join, mailsPerSecond, drainedInSeconds };
}

/** As batches of joins leave them, but older than the mails of the joins to come. */
async function queueWelcomes(place: Place, ids: readonly string[]): Promise<void> {
  const database = await openDatabase({ ...place, log: () => {} });
  for (let first = 0; first < mails; first += BATCH) {
    const count = Math.min(BATCH, mails - first);
    const members = Array.from({ length: count }, (_, index) => ids[(first + index) % ids.length]);
    await database.kysely
      .insertInto('mail_outbox')
      .values({
        first_sequence: first - mails,
        kind: 'welcome',
        member_ids: members.filter((id) => id !== undefined),
      })
      .execute();
  }
  await database.close();
}

async function measureEngine(name: string, place: Place, sinkUrl: string): Promise<string[]> {
  const filled = await fill(thisCheckout, place, MEMBERS);
  const sampleFile = await writeSample(thisCheckout, filled);
  const { ids } = JSON.parse(readFileSync(sampleFile, 'utf8')) as Sample;
  const without = await measureJoins(place, sinkUrl);
  await queueWelcomes(place, ids);
  const draining = await measureJoins(place, sinkUrl);
  const cells = (run: Run) => [run.p50Ms, run.p99Ms, run.mailsPerSecond].map(short);
  return [name, ...cells(without), ...cells(draining), whole(draining.drainedInSeconds)];
}

const folder = mkdtempSync(join(tmpdir(), 'waitlist-mail-bench-'));
const postgres = await startPostgres({ isDurable: true });
try {
  const socket = sink.listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const sinkUrl = `smtp://127.0.0.1:${(socket.address() as AddressInfo).port}`;
  const embedded = { dataDir: join(folder, 'embedded'), databaseUrl: null };
  const { url } = await createDatabase(postgres.url);
  const rows = [
    await measureEngine('embedded', embedded, sinkUrl),
    await measureEngine(
      'PostgreSQL',
      { dataDir: join(folder, 'postgres'), databaseUrl: url },
      sinkUrl,
    ),
  ];
  const head = ['', 'join p50 ms', 'p99 ms', 'mails/s', 'draining: join p50 ms', 'p99 ms'];
  const report = `# Mail beside joins

${JOINS_PER_SECOND} joins a second for ${seconds} s, each with its own mail, at ${whole(MEMBERS)}
members; then the same with ${whole(mails)} more mails waiting, sent at a rate of
${MAILS_PER_SECOND} a second over real SMTP to a server that takes everything. Server, database,
mail server and client share one machine.

${describeMachine()}. ${new Date().toISOString().slice(0, 10)}, load average at the end
${loadavg()[0]?.toFixed(1)}, \`npm run bench:mail -- --mails ${mails} --seconds ${seconds}\`

${table([...head, 'mails/s', 'all mail sent after s'], rows)}
`;
  writeFileSync(values.results, report);
  console.log(report);
} finally {
  sink.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
