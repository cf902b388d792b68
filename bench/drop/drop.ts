/**
 * `npm run bench:drop`: a crowd that accepts offers within a second on three servers with one
 * PostgreSQL, and the steps of a drop on a long line. Writes bench/DROP.md. Options: --parts
 * crowd,postgres,embedded; --crowd and --masks; --connections; --members of the long line. The
 * report has the last figures of each part.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../server/db/open.ts';
import { build, fill, type Place, startProduct, thisCheckout, verify } from '../checkout.ts';
import { type NewPlace, onEngines } from '../operator/on-engines.ts';
import { describeMachine, keepRecord, loadAverage, readRecord } from '../report/records.ts';
import { CROWD_SETTINGS, prepareDrop, runCrowd } from './crowd.ts';
import { measureSteps } from './long-line.ts';
import { OPERATOR_TOKEN } from './operator-calls.ts';
import { reportCrowd, reportSteps } from './write-report.ts';

const { values } = parseArgs({
  options: {
    parts: { type: 'string', default: 'crowd,postgres,embedded' },
    crowd: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '3000' },
    members: { type: 'string', default: '1000000' },
  },
});
const [crowd, rounds, connections, members] = [
  values.crowd,
  values.rounds,
  values.connections,
  values.members,
].map(Number) as [number, number, number, number];
const SERVERS = 3;
/** Of the hundred with an offer. */
const ENDING = 20;
const MASKS = { Small: 33, Medium: 34, Large: 33 };
const cache = join(thisCheckout.root, '.cache/bench-drop');

async function measureCrowd(newPlace: NewPlace) {
  const all = [];
  for (let round = 1; round <= rounds; round += 1) {
    const place = await newPlace(`crowd${round}`);
    mkdirSync(place.dataDir, { recursive: true });
    await fill(thisCheckout, place, crowd);
    const nodes = Array.from({ length: SERVERS }, (_, index) => ({
      ...place,
      dataDir: join(place.dataDir, `node${index + 1}`),
    }));
    const servers = [];
    for (const node of nodes) servers.push(await startProduct(thisCheckout, node, CROWD_SETTINGS));
    const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
    try {
      await prepareDrop({ database, servers }, { entrants: crowd, masks: MASKS });
      const figures = await runCrowd({ database, servers, connections, ending: ENDING });
      console.log(JSON.stringify({ ...figures, problems: figures.problems.slice(0, 5) }));
      all.push(figures);
    } finally {
      await database.close();
      for (const server of servers) await server.stop();
    }
  }
  return all;
}

async function measureLongLine(place: Place) {
  await fill(thisCheckout, place, members);
  const settings = { LIMITS: 'off', MAIL_RATE: '0.1', OPERATOR_TOKEN };
  const server = await startProduct(thisCheckout, place, settings);
  const steps = await measureSteps(server.url);
  await server.stop();
  await verify(thisCheckout, place);
  return steps;
}

async function record(part: string, words: string, work: () => Promise<unknown>): Promise<void> {
  const beganAt = performance.now();
  const loadBefore = loadAverage();
  const figures = await work();
  keepRecord(cache, {
    part,
    at: new Date().toISOString(),
    seconds: (performance.now() - beganAt) / 1000,
    machine: describeMachine(),
    loadBefore,
    loadAfter: loadAverage(),
    command: `npm run bench:drop -- --parts ${part} ${words}`,
    figures,
  });
}

build(thisCheckout);
for (const part of values.parts.split(','))
  if (part === 'crowd')
    await onEngines(['postgres'], (_engine, newPlace) =>
      record(part, `--crowd ${crowd} --rounds ${rounds} --connections ${connections}`, () =>
        measureCrowd(newPlace),
      ),
    );
  else
    await onEngines([part], (engine, newPlace) =>
      record(engine, `--members ${members}`, async () => measureLongLine(await newPlace())),
    );
writeFileSync(
  fileURLToPath(new URL('../DROP.md', import.meta.url)),
  `${[
    reportCrowd(readRecord(cache, 'crowd')),
    reportSteps(['postgres', 'embedded'].map((engine) => [engine, readRecord(cache, engine)])),
  ].join('\n\n')}\n`,
);
