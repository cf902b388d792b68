/**
 * `npm run bench:overview`: what the operator's overview costs joins, on both engines: counting
 * members after an upgrade, a call, and joins beside an operator that polls all the time. Writes
 * bench/OVERVIEW.md. Options: --members, --seconds, --engine embedded|postgres, --results FILE.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brand } from '../../brand/brand.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { keepAnswers } from '../../server/http/recent-answers.ts';
import { MEMBERS_AT_A_TIME } from '../../server/line/funnel/count-joins.ts';
import { countNextJoins } from '../../server/line/funnel/funnel-store.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { getOverview } from '../../server/overview/get-overview.ts';
import { fill, type Place, thisCheckout } from '../checkout.ts';
import { short, table, whole } from '../report/markdown.ts';
import { describeMachine, keepRecord, loadAverage, readRecord } from '../report/records.ts';
import { onEngines } from './on-engines.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '4' },
    engine: { type: 'string' },
    results: { type: 'string', default: fileURLToPath(new URL('../OVERVIEW.md', import.meta.url)) },
  },
});
const [members, seconds] = [Number(values.members), Number(values.seconds)];

const cache = join(thisCheckout.root, '.cache/bench-overview');

const SOURCES = 20;
const DAYS = 60;
/** How many batches are timed while a whole line is counted after an upgrade. */
const COUNTED_BATCHES = 200;
const IN_FLIGHT = 16;
/** How often the operator polls: a console does every five seconds. */
const ASK_EVERY_MS = 500;
const ROUNDS = 3;
const request = { tz: 'Europe/Berlin', from: daysAgo(DAYS) };

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

/** Caches past days as the server does. */
const keepPastDays = () => keepAnswers<readonly unknown[]>({ forMs: 300_000, maxKeys: 2_000 });

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs an empty query repeatedly: as long as it takes, a join would wait for the database. */
async function longestWait(database: Database, work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  let longest = 0;
  const probing = (async () => {
    while (!isOver) {
      const asked = performance.now();
      await database.runSql('select 1');
      longest = Math.max(longest, performance.now() - asked);
    }
  })();
  await work();
  isOver = true;
  await probing;
  return longest;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Visits and joins of many sources, which made-up members do not have. */
async function addSources(database: Database): Promise<void> {
  await database.runSql(`
    insert into source (id, utm_campaign)
      select id, 'campaign ' || id from generate_series(2, ${SOURCES + 1}) id;
    insert into visit_count
      select quarter, page, source_id, 5 from
        generate_series(
          quarter_of(now() - interval '${DAYS} days'), now(), interval '15 minutes') quarter,
        unnest(array['landing', 'invite']) page, generate_series(0, ${SOURCES + 1}) source_id;
    insert into join_count
      select quarter, source_id, 1, 0 from
        generate_series(
          quarter_of(now() - interval '${DAYS} days'), now(), interval '15 minutes') quarter,
        generate_series(2, ${SOURCES + 1}) source_id;
    analyze;`);
}

async function joinsOf(database: Database, isAsking: boolean, round: string) {
  const queue = openJoinQueue({ database, brand });
  const until = performance.now() + seconds * 1000;
  const latencies: number[] = [];
  const keep = keepPastDays();
  const asking = (async () => {
    while (isAsking && performance.now() < until) {
      await getOverview(database, request, keep);
      await pause(ASK_EVERY_MS);
    }
  })();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async (_, lane) => {
      for (let number = 0; performance.now() < until; number += 1) {
        const email = `${round}-${lane}-${number}@bench.example`;
        const began = performance.now();
        await queue.join({ email, referredBy: null, idempotencyKey: null });
        latencies.push(performance.now() - began);
      }
    }),
  );
  await asking;
  await queue.close();
  latencies.sort((a, b) => a - b);
  return {
    perSecond: latencies.length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

type Joins = Awaited<ReturnType<typeof joinsOf>>;

/** The cells of its row. */
async function measure(place: Place): Promise<string[]> {
  await fill(thisCheckout, place, members);
  const database = await openDatabase({ ...place, log: () => {} });
  const counted: number[] = [];
  for (let batch = 0; batch < COUNTED_BATCHES; batch += 1)
    counted.push(await timed(() => countNextJoins(database, MEMBERS_AT_A_TIME)));
  // The others as if they had been counted: only the rows of addSources are read.
  await database.runSql(
    'update join_cursor set next_sequence = (select next_sequence from line_state)',
  );
  await addSources(database);
  const calls: number[] = [];
  const waits: number[] = [];
  const keep = keepPastDays();
  const first = await timed(() => getOverview(database, request, keep));
  for (let call = 0; call < 5; call += 1) {
    calls.push(await timed(() => getOverview(database, request, keep)));
    waits.push(await longestWait(database, () => getOverview(database, request)));
  }
  const idle: Joins[] = [];
  const asked: Joins[] = [];
  await joinsOf(database, false, 'warm');
  for (let round = 0; round < ROUNDS; round += 1) {
    idle.push(await joinsOf(database, false, `i${round}`));
    asked.push(await joinsOf(database, true, `a${round}`));
  }
  await database.close();
  const median = (numbers: number[]) =>
    quantile(
      numbers.toSorted((a, b) => a - b),
      0.5,
    );
  const show = (all: Joins[]) =>
    [
      whole(median(all.map((one) => one.perSecond))),
      short(median(all.map((one) => one.p50))),
      short(median(all.map((one) => one.p99))),
    ].join(', ');
  return [
    whole(members),
    short(median(counted)),
    short(Math.max(...counted)),
    short(first),
    short(median(calls)),
    short(Math.max(...waits)),
    show(idle),
    show(asked),
  ];
}

async function record(name: string, place: Place): Promise<void> {
  const began = performance.now();
  const loadBefore = loadAverage();
  const figures = await measure(place);
  keepRecord(cache, {
    part: name,
    at: new Date().toISOString(),
    seconds: (performance.now() - began) / 1000,
    machine: describeMachine(),
    loadBefore,
    loadAfter: loadAverage(),
    command: `npm run bench:overview -- --engine ${name} --members ${members}`,
    figures,
  });
}

await onEngines(
  values.engine === undefined ? ['embedded', 'postgres'] : [values.engine],
  async (engine, newPlace) => record(engine, await newPlace()),
);
const records = ['embedded', 'postgres'].flatMap((name) => readRecord(cache, name) ?? []);
const text = `# What the overview costs

Written by \`npm run bench:overview\`, which also measures one \`--engine\` at a time.

${SOURCES} sources in each quarter of an hour of ${DAYS} days, shown by day. Milliseconds where
nothing else is said. Counting is one batch of ${MEMBERS_AT_A_TIME} members. "Waits" is the longest
time that a query for nothing waited during a first call, as a join would. Joins are a second, p50
and p99, with ${IN_FLIGHT} in flight, medians of ${ROUNDS} rounds in turns: alone, and beside a call
every ${ASK_EVERY_MS} ms, of which the first reads all days and the next ones the last two.

${table(
  [
    'engine',
    'members',
    'counting',
    'longest',
    'first call',
    'next',
    'waits',
    'joins alone',
    'joins, asked for',
  ],
  records.map(({ part, figures }) => [part, ...(figures as string[])]),
)}

${records.map(({ part, machine, at }) => `- ${part}: ${machine}, ${at.slice(0, 10)}`).join('\n')}
`;
console.log(text);
writeFileSync(values.results, text);
