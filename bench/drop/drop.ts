import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OfferFigures } from '../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { openDatabase } from '../../server/db/open.ts';
import { fill, startProduct, thisCheckout, verify } from '../checkout.ts';
import {
  JOINS_PER_SECOND,
  measureSteps,
  type StepFigures,
  stepTable,
} from '../load/operator-steps.ts';
import type { Part, Report } from '../part.ts';
import type { Engine } from '../places.ts';
import { short, table, whole } from '../report/markdown.ts';
import { CLICKERS } from './clicks.ts';
import { CROWD_SETTINGS, type CrowdFigures, prepareDrop, runCrowd } from './crowd.ts';
import { call, change, OPERATOR_TOKEN } from './operator-calls.ts';

const SERVERS = 3;
const ENDING = 20;
const MASKS = { Small: 33, Medium: 34, Large: 33 };
const REPORT: Report = { file: 'DROP.md', head: '# A drop under load' };

const CROWD_OPTIONS = { crowd: 10_000, rounds: 3, connections: 3_000 };

export const crowdPart: Part<typeof CROWD_OPTIONS, CrowdFigures[]> = {
  name: 'drop-crowd',
  writes: REPORT,
  options: CROWD_OPTIONS,
  async measure({ options: { crowd, rounds, connections }, newPlace, log }) {
    const all = [];
    for (let round = 1; round <= rounds; round += 1) {
      const place = await newPlace('postgres');
      await fill(thisCheckout, place, crowd);
      const servers = [];
      for (let node = 1; node <= SERVERS; node += 1) {
        const dataDir = join(place.dataDir, `node${node}`);
        servers.push(await startProduct(thisCheckout, { ...place, dataDir }, CROWD_SETTINGS));
      }
      const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
      await prepareDrop({ database, servers }, { entrants: crowd, masks: MASKS });
      all.push(await runCrowd({ database, servers, connections, ending: ENDING }));
      await database.close();
      for (const server of servers) await server.stop();
      log(`round ${round} of ${rounds} measured`);
    }
    return all;
  },
  describe(runs, { crowd }) {
    return `## ${whole(crowd)} accept within a second

Three servers with one PostgreSQL that waits for the disk (fsync on); servers, database and client
share one machine. The whole list of a drop clicks "accept" at random moments of one second, each
from an address and on a link of their own, with all limits on. At most as many offers are open as
there are masks, so nearly all of the crowd have none, and are refused; the links that they send are
valid in every other way. The page of each has looked at their offer before. After half a second,
offers of a fifth of the holders end, and three more sweepers look for masks beside those of the
servers. Times count from the moment at which a click was due, even while the client had no free
connection. 404: no offer; 409: its time is over; 403: no valid link; 503: try again later.

${runs.map(describeRun).join('\n\n')}`;
  },
};

function describeRun(figures: CrowdFigures, index: number): string {
  const { rows, seconds, clientLateP99Ms, acceptedByCrowd, accepted, problems } = figures;
  const statuses = [...new Set(rows.flatMap(({ byStatus }) => Object.keys(byStatus)))].sort();
  const cells = rows.map(({ kind, sent, byStatus, p50Ms, p99Ms, longestMs }) => [
    kind === 'all' ? kind : CLICKERS[kind],
    whole(sent),
    ...statuses.map((status) => byStatus[Number(status)]?.toLocaleString('en') ?? ''),
    ...[p50Ms, p99Ms, longestMs].map((ms) => (sent === 0 ? '–' : whole(ms))),
  ]);
  const head = ['who clicks', 'sent', ...statuses, 'p50 ms', 'p99 ms', 'longest ms'];
  return `### Run ${index + 1}

${whole(accepted)} passes in the end, ${whole(acceptedByCrowd)} of them when the last click was
answered, after ${short(seconds)} s. The client sent clicks ${short(clientLateP99Ms)} ms late at
p99. ${problems.length === 0 ? 'Every mask is accounted for.' : problems.slice(0, 10).join(' ')}

${table(head, cells)}`;
}

const ENTRANTS = 10_000;
const FREEZES = 3;
const CALM_MS = 1_000;

const STEP_OPTIONS = { members: 1_000_000 };

export const stepsPart = (engine: Engine): Part<typeof STEP_OPTIONS, StepFigures[]> => ({
  name: `drop-${engine}`,
  writes: REPORT,
  options: STEP_OPTIONS,
  async measure({ options: { members }, newPlace, log }) {
    const place = await newPlace(engine);
    await fill(thisCheckout, place, members);
    const settings = { LIMITS: 'off', MAIL_RATE: '0.1', OPERATOR_TOKEN };
    const server = await startProduct(thisCheckout, place, settings);
    const steps = await measureSteps(server, log, (beside) => takeSteps(server, beside));
    await server.stop();
    await verify(thisCheckout, place);
    return steps;
  },
  describe(steps, { members }) {
    return `## The steps of a drop on ${engine}

Each step is one call of the operator at ${whole(members)} members, while ${JOINS_PER_SECOND}
visitors a second join through the same server; of repeated steps, the slowest. Joins are counted
from a second before a step to a second after it. The most entrants there can be,
${whole(ENTRANTS)}, are frozen, and 50 of 100 masks are drawn among all of them. The run ends with
\`npm run verify\`.

${stepTable(steps)}`;
  },
});

async function takeSteps(
  { url }: { readonly url: string },
  beside: (step: string, work: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const preview = (kind: string, input: object) =>
    call(url, operatorPaths.previewChange, { kind, input });
  const readDraw = () => call(url, fillPath(apiPaths.draw, 1));

  await beside('nothing', () => pause(CALM_MS));
  for (let freeze = 1; freeze <= FREEZES; freeze += 1) {
    await beside('preview of the freeze', () => preview('freeze-drop', { first: ENTRANTS }));
    await beside('freeze', () => change(url, 'freeze-drop', { first: ENTRANTS }));
    if (freeze < FREEZES) await beside('unfreeze', () => change(url, 'unfreeze-drop', {}));
  }
  const rule = { by_rank: 50, drawn_among: ENTRANTS, source: 'seed' };
  await beside('announce the draw', () => change(url, 'announce-draw', rule));
  await beside('preview of the draw', () => preview('select-entrants', {}));
  await beside('select', () => change(url, 'select-entrants', {}));
  await beside('/api/drop/1/draw, first call', readDraw);
  await beside('/api/drop/1/draw, later calls', readDraw);
  const terms = { minutes: 720, time_zone: 'UTC' };
  await beside('start offers', () => change(url, 'start-offers', terms));
  await beside('the first wave, within 15 s', () => untilOffered(url));
  await beside('tell everybody else', () => change(url, 'tell-others', {}));
  await beside('close', () => change(url, 'close-drop', {}));
}

async function untilOffered(url: string): Promise<void> {
  while ((await call<OfferFigures>(url, operatorPaths.offers)).open === 0) await pause(100);
}
