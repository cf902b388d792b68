/**
 * `npm run bench:mail`: joins while thousands of queued mails drain, beside the same joins with an
 * empty queue, on both engines. Writes bench/MAIL.md.
 * Options: --mails, --seconds, --pairs, --engine embedded|postgres, --results FILE, and
 * --undrained, which stops with the joins instead of waiting until all mail is sent.
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
import { runLaunch, type StepResult } from './load/launch.ts';
import type { Sample } from './members/read-sample.ts';
import { orDash, short, table, whole } from './report/markdown.ts';
import { describeMachine } from './report/records.ts';

const { values } = parseArgs({
  options: {
    mails: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '50' },
    pairs: { type: 'string', default: '1' },
    engine: { type: 'string' },
    undrained: { type: 'boolean', default: false },
    results: { type: 'string', default: fileURLToPath(new URL('MAIL.md', import.meta.url)) },
  },
});
const [mails, seconds] = [Number(values.mails), Number(values.seconds)];
const pairs = Number(values.pairs);

const JOINS_PER_SECOND = 50;
const MAILS_PER_SECOND = 200;
const MEMBERS = 10_000;
/** Joins of one batch. */
const BATCH = 20;
const INSERTED_AT_ONCE = 1_000;
/** Warm-up: the first joins on each connection meet cold caches. */
const WARM_UP_SECONDS = 3;

type Run = {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** During the joins. */
  readonly mailsPerSecond: number;
  /** From the first join until all queued mail was sent; null when the run does not wait for it. */
  readonly drainedInSeconds: number | null;
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
  await sendJoins(server.port, WARM_UP_SECONDS);
  const [receivedBefore, startedAt] = [received, performance.now()];
  const elapsedSeconds = () => (performance.now() - startedAt) / 1000;
  const step = await sendJoins(server.port, seconds);
  const mailsPerSecond = (received - receivedBefore) / elapsedSeconds();
  if (!values.undrained) await untilDrained(server.url, place);
  const drainedInSeconds = values.undrained ? null : elapsedSeconds();
  await server.stop();
  return { ...step, mailsPerSecond, drainedInSeconds };
}

/** An open loop: slow answers do not delay the joins that follow. */
async function sendJoins(port: number, forSeconds: number): Promise<StepResult> {
  const { steps, failures } = await runLaunch({
    port,
    people: JOINS_PER_SECOND * forSeconds,
    seconds: forSeconds,
    rushSeconds: forSeconds,
    rushShare: 1,
    pausesMs: [0],
    looksAtPage: false,
  });
  if (Object.keys(failures).length > 0)
    throw new Error(`Joins failed: ${JSON.stringify(failures)}`);
  return steps.join;
}

async function untilDrained(url: string, { dataDir }: Place): Promise<void> {
  const token = readFileSync(join(dataDir, 'operator-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const readMetrics = async () => (await fetch(`${url}/metrics`, { headers })).text();
  while (!/^waitlist_mails_waiting 0$/m.test(await readMetrics())) await pause(250);
}

/** As batches of joins leave them, but older than the mails of the joins to come. */
async function queueWelcomes(place: Place, ids: readonly string[]): Promise<void> {
  const database = await openDatabase({ ...place, log: () => {} });
  const batches = Array.from({ length: Math.ceil(mails / BATCH) }, (_, batch) => {
    const first = batch * BATCH;
    const length = Math.min(BATCH, mails - first);
    const members = Array.from({ length }, (_, index) => ids[(first + index) % ids.length]);
    return {
      first_sequence: first - mails,
      kind: 'welcome',
      member_ids: members.filter((id) => id !== undefined),
    };
  });
  for (let first = 0; first < batches.length; first += INSERTED_AT_ONCE) {
    const some = batches.slice(first, first + INSERTED_AT_ONCE);
    await database.kysely.insertInto('mail_outbox').values(some).execute();
  }
  await database.close();
}

/** Uses a new database, so that no run inherits data of another. */
async function measure(place: Place, hasBacklog: boolean, sinkUrl: string): Promise<Run> {
  const filled = await fill(thisCheckout, place, MEMBERS);
  if (hasBacklog) {
    const sampleFile = await writeSample(thisCheckout, filled);
    const { ids } = JSON.parse(readFileSync(sampleFile, 'utf8')) as Sample;
    await queueWelcomes(place, ids);
  }
  return await measureJoins(place, sinkUrl);
}

/** A row for each pair of runs. The order alternates, so that neither kind always runs first. */
async function measureEngine(
  name: string,
  createPlace: (run: string) => Promise<Place>,
  sinkUrl: string,
): Promise<string[][]> {
  const rows: string[][] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    const measureRun = async (hasBacklog: boolean) =>
      await measure(await createPlace(`${name}-${pair}-${hasBacklog}`), hasBacklog, sinkUrl);
    const early = await measureRun(pair % 2 === 0);
    const late = await measureRun(pair % 2 !== 0);
    const [without, draining] = pair % 2 === 0 ? [late, early] : [early, late];
    const cells = (run: Run) => [run.p50Ms, run.p99Ms, run.mailsPerSecond].map(short);
    const drained = orDash(draining.drainedInSeconds, whole);
    rows.push([name, whole(pair), ...cells(without), ...cells(draining), drained]);
  }
  return rows;
}

const folder = mkdtempSync(join(tmpdir(), 'waitlist-mail-bench-'));
const postgres = await startPostgres({ isDurable: true });
try {
  const socket = sink.listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const sinkUrl = `smtp://127.0.0.1:${(socket.address() as AddressInfo).port}`;
  const engines: Record<string, () => Promise<string[][]>> = {
    embedded: () =>
      measureEngine(
        'embedded',
        async (run) => ({ dataDir: join(folder, run), databaseUrl: null }),
        sinkUrl,
      ),
    postgres: () =>
      measureEngine(
        'PostgreSQL',
        async (run) => {
          const { url } = await createDatabase(postgres.url);
          return { dataDir: join(folder, run), databaseUrl: url };
        },
        sinkUrl,
      ),
  };
  const rows: string[][] = [];
  for (const [name, measureAll] of Object.entries(engines))
    if (values.engine === undefined || values.engine === name) rows.push(...(await measureAll()));
  const head = ['', 'pair', 'join p50 ms', 'p99 ms', 'mails/s', 'draining: join p50 ms', 'p99 ms'];
  const words = ['--mails', mails, '--seconds', seconds, '--pairs', pairs];
  if (values.engine !== undefined) words.push('--engine', values.engine);
  if (values.undrained) words.push('--undrained');
  const report = `# Mail beside joins

${JOINS_PER_SECOND} joins a second for ${seconds} s, each with its own mail, at ${whole(MEMBERS)}
members; and the same with ${whole(mails)} more mails waiting, sent at a rate of
${MAILS_PER_SECOND} a second over real SMTP to a server that takes everything. Server, database,
mail server and client share one machine. Joins of ${WARM_UP_SECONDS} s before are not counted.

${describeMachine()}. ${new Date().toISOString().slice(0, 10)}, load average at the end
${loadavg()[0]?.toFixed(1)}, \`npm run bench:mail -- ${words.join(' ')}\`

${table([...head, 'mails/s', 'all mail sent after s'], rows)}
`;
  writeFileSync(values.results, report);
  console.log(report);
} finally {
  sink.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
