import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OfferFigures } from '../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { openDatabase } from '../../server/db/open.ts';
import { fill, startProduct, thisCheckout } from '../checkout.ts';
import { type Operator, openOperator } from '../load/operator.ts';
import { measureSteps, type StepFigures, stepTable } from '../load/operator-steps.ts';
import type { Part } from '../part.ts';
import type { Engine } from '../places.ts';
import { short, table, whole } from '../report/markdown.ts';
import { CLICKERS } from './clicks.ts';
import { CROWD_SETTINGS, type CrowdFigures, prepareDrop, runCrowd } from './crowd.ts';

const SERVERS = 3;
const ENDING = 20;
const MASKS = { Small: 33, Medium: 34, Large: 33 };

const OUTCOMES = [
  ...['run', 'passes', 'when the last click was answered', 'seconds until then'],
  ...['clicks late, p99 ms', 'every mask is accounted for'],
];
const CROWD_OPTIONS = { crowd: 10_000, rounds: 3, connections: 3_000 };

export const crowdPart: Part<typeof CROWD_OPTIONS, CrowdFigures[]> = {
  name: 'drop-crowd',
  writes: 'DROP.md',
  options: CROWD_OPTIONS,
  async measure({ options: { crowd, rounds, connections }, newPlace, log }) {
    const all = [];
    for (let round = 1; round <= rounds; round += 1) {
      const place = await newPlace('postgres');
      await fill(thisCheckout, place, crowd);
      const servers = [];
      const operator = openOperator(join(place.dataDir, 'node1'));
      for (let node = 1; node <= SERVERS; node += 1) {
        const dataDir = join(place.dataDir, `node${node}`);
        servers.push(await startProduct(thisCheckout, { ...place, dataDir }, CROWD_SETTINGS));
      }
      const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
      await prepareDrop(database, operator, { entrants: crowd, masks: MASKS });
      all.push(await runCrowd({ database, servers, connections, ending: ENDING }));
      await database.close();
      for (const server of servers) await server.stop();
      log(`round ${round} of ${rounds} measured`);
    }
    return all;
  },
  describe(runs) {
    const outcomes = runs.map(({ accepted, acceptedByCrowd, problems, ...run }, index) => [
      whole(index + 1),
      ...[accepted, acceptedByCrowd].map(whole),
      ...[run.seconds, run.clientLateP99Ms].map(short),
      problems.length === 0 ? 'yes' : problems.slice(0, 10).join(' '),
    ]);
    const all = runs.flatMap(({ rows }) => rows);
    const statuses = [...new Set(all.flatMap(({ byStatus }) => Object.keys(byStatus)))].sort();
    const clicks = runs.flatMap(({ rows }, index) =>
      rows.map(({ kind, sent, byStatus, p50Ms, p99Ms, longestMs }) => [
        whole(index + 1),
        kind === 'all' ? kind : CLICKERS[kind],
        whole(sent),
        ...statuses.map((status) => byStatus[Number(status)]?.toLocaleString('en') ?? ''),
        ...[p50Ms, p99Ms, longestMs].map((ms) => (sent === 0 ? '–' : whole(ms))),
      ]),
    );
    const times = ['p50 ms', 'p99 ms', 'longest ms'];
    return [
      '## A crowd that accepts within a second',
      table(OUTCOMES, outcomes),
      table(['run', 'who clicks', 'sent', ...statuses, ...times], clicks),
    ].join('\n\n');
  },
};

const ENTRANTS = 10_000;
const FREEZES = 3;
const CALM_MS = 1_000;

const STEP_OPTIONS = { members: 1_000_000 };

export const stepsPart = (engine: Engine): Part<typeof STEP_OPTIONS, StepFigures[]> => ({
  name: `drop-${engine}`,
  writes: 'DROP.md',
  options: STEP_OPTIONS,
  async measure({ options: { members }, newPlace, log }) {
    return await measureSteps({ place: await newPlace(engine), members, log }, takeSteps);
  },
  describe: (steps) => `## The steps of a drop on ${engine}\n\n${stepTable(steps)}`,
});

async function takeSteps(
  { call, change }: Operator,
  beside: (step: string, work: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const preview = (kind: string, input: object) =>
    call(operatorPaths.previewChange, { kind, input });
  const readDraw = () => call(fillPath(apiPaths.draw, 1));

  await beside('nothing', () => pause(CALM_MS));
  for (let freeze = 1; freeze <= FREEZES; freeze += 1) {
    await beside('preview of the freeze', () => preview('freeze-drop', { first: ENTRANTS }));
    await beside('freeze', () => change('freeze-drop', { first: ENTRANTS }));
    if (freeze < FREEZES) await beside('unfreeze', () => change('unfreeze-drop', {}));
  }
  const rule = { by_rank: 50, drawn_among: ENTRANTS, source: 'seed' };
  await beside('announce the draw', () => change('announce-draw', rule));
  await beside('preview of the draw', () => preview('select-entrants', {}));
  await beside('select', () => change('select-entrants', {}));
  await beside('/api/drop/1/draw, first call', readDraw);
  await beside('/api/drop/1/draw, later calls', readDraw);
  const terms = { minutes: 720, time_zone: 'UTC' };
  await beside('start offers', () => change('start-offers', terms));
  await beside('the first wave, within 15 s', async () => {
    while ((await call<OfferFigures>(operatorPaths.offers)).open === 0) await pause(100);
  });
  await beside('tell everybody else', () => change('tell-others', {}));
  await beside('close', () => change('close-drop', {}));
}
