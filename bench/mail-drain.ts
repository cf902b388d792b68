/**
 * `npm run bench:mail`: 10,000 queued mails drain at the set rate while people join: the joins' latency beside that of the same server
 * with an empty queue, on both engines. Writes bench/MAIL.md. Options: --mails, --rate, --seconds, --joins (a second).
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDatabase } from '../server/db/open.ts';
import { queueMails } from '../server/mail/queue.ts';
import { createDatabase } from '../test/support/postgres-databases.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { freePort, startServer } from '../test/support/server-process.ts';
import { runLaunch } from './load/launch.ts';
import { seed } from './seed.ts';

const { values } = parseArgs({
  options: {
    mails: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
    joins: { type: 'string', default: '50' },
  },
});
const [mails, rate, seconds, joins] = [values.mails, values.rate, values.seconds, values.joins].map(Number) as [
  number,
  number,
  number,
  number,
];

type Place = { readonly dataDir: string; readonly databaseUrl: string | null };
type Run = {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** While people joined. */
  readonly mailsPerSecond: number;
  /** From the start of the joins until all that was queued had arrived. */
  readonly drainedInSeconds: number;
};

/** Joins at a steady rate, so that a slow answer does not thin out the others. */
async function joinSteadily(url: string): Promise<{ p50Ms: number; p99Ms: number }> {
  const { steps, failures } = await runLaunch({
    port: Number(new URL(url).port),
    people: joins * seconds,
    seconds,
    rushSeconds: seconds,
    rushShare: 1,
    pausesMs: [0],
    looksAtPage: false,
    tag: Date.now().toString(36),
  });
  if (Object.keys(failures).length > 0) throw new Error(`Joins failed: ${JSON.stringify(failures)}`);
  return steps.join;
}

async function startSink() {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL('smtp-sink.ts', import.meta.url)), {
    env: { ...process.env, SINK_PORT: String(port) },
  });
  await once(child, 'message');
  return {
    url: `smtp://127.0.0.1:${port}`,
    async taken(): Promise<number> {
      child.send('how many');
      return (await once(child, 'message'))[0];
    },
    stop: () => child.kill(),
  };
}

async function run(place: Place, sinkUrl: string, taken: () => Promise<number>): Promise<Run> {
  const server = await startServer({
    DATA_DIR: place.dataDir,
    LIMITS: 'off',
    SMTP_URL: sinkUrl,
    MAIL_RATE: String(rate),
    ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
  });
  // Past the start, which is not what is measured.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const [before, startedAt] = [await taken(), Date.now()];
  const latency = await joinSteadily(server.url);
  const secondsSinceStart = () => (Date.now() - startedAt) / 1000;
  const mailsPerSecond = ((await taken()) - before) / secondsSinceStart();
  const token = readFileSync(join(place.dataDir, 'operator-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const isWaiting = async () => {
    const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
    return !/^waitlist_mails_waiting 0$/m.test(metrics);
  };
  while (await isWaiting()) await new Promise((resolve) => setTimeout(resolve, 250));
  const drainedInSeconds = secondsSinceStart();
  await server.stop();
  return { ...latency, mailsPerSecond, drainedInSeconds };
}

async function fillQueue(place: Place, ids: readonly string[]): Promise<void> {
  const database = await openDatabase({ ...place, log: () => {} });
  for (let first = 0; first < mails; first += 500) {
    const some = Array.from({ length: Math.min(500, mails - first) }, (_, index) => ids[(first + index) % ids.length]);
    await queueMails(
      database.kysely,
      some.map((memberId = '') => ({ kind: 'welcome', memberId })),
    );
  }
  await database.close();
}

async function benchEngine(name: string, place: Place): Promise<string> {
  const { ids } = await seed(place, 10_000);
  const sink = await startSink();
  const without = await run(place, sink.url, sink.taken);
  await fillQueue(place, ids);
  const draining = await run(place, sink.url, sink.taken);
  sink.stop();
  const cells = (run: Run) => [run.p50Ms.toFixed(1), run.p99Ms.toFixed(1), run.mailsPerSecond.toFixed(1)];
  return `| ${[name, ...cells(without), ...cells(draining), draining.drainedInSeconds.toFixed(0)].join(' | ')} |`;
}

const folder = mkdtempSync(join(tmpdir(), 'waitlist-mail-bench-'));
const postgres = await startPostgres({ isDurable: true });
try {
  const rows = [await benchEngine('embedded', { dataDir: join(folder, 'embedded'), databaseUrl: null })];
  const { url } = await createDatabase(postgres.url);
  rows.push(await benchEngine('PostgreSQL', { dataDir: join(folder, 'postgres'), databaseUrl: url }));
  const report = `# Mail beside joins

${joins} joins a second for ${seconds} s, each with its own mail, at 10,000 members; then the same with ${mails.toLocaleString('en')} more mails waiting, sent at a set rate of
${rate} a second over real SMTP to a server that takes everything. Server, database, mail server and client share one machine (${cpus().length} cores, ${cpus()[0]?.model.trim()}); load average at the end ${loadavg()[0]?.toFixed(1)}.

${new Date().toISOString().slice(0, 10)}, Node ${process.version}, \`npm run bench:mail -- --mails ${mails} --rate ${rate} --seconds ${seconds} --joins ${joins}\`

| | join p50 ms | p99 ms | mails/s | draining: join p50 ms | p99 ms | mails/s | all mail has arrived after s |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
  writeFileSync(fileURLToPath(new URL('MAIL.md', import.meta.url)), report);
  console.log(report);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
