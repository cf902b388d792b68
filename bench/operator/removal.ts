/**
 * `npm run bench:removal`: removing thousands of members from a long line, and bringing them back,
 * while others join. Writes bench/REMOVAL.md. Options: --members, --removed, --rounds, --engines
 * postgres,embedded; the report has the last figures of each engine.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ChangePreview, MadeChange } from '../../contract/operator/changes.ts';
import type { MemberFilter } from '../../contract/operator/member-filter.ts';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import { openDatabase } from '../../server/db/open.ts';
import { build, fill, type Place, startProduct, thisCheckout, verify } from '../checkout.ts';
import { short, table, whole } from '../report/markdown.ts';
import { describeMachine, keepRecord, loadAverage, readRecord } from '../report/records.ts';
import { onEngines } from './on-engines.ts';
import { type Joins, startJoins } from './steady-joins.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '1000000' },
    removed: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '3' },
    engines: { type: 'string', default: 'postgres,embedded' },
  },
});
const [members, removed, rounds] = [values.members, values.removed, values.rounds].map(Number) as [
  number,
  number,
  number,
];
const ENGINES = ['postgres', 'embedded'] as const;
const cache = join(thisCheckout.root, '.cache/bench-removal');
/** Visitors come at this rate, whether others are answered or not. */
const JOINS_PER_SECOND = 50;
/** Joins go on before and after each change, to see its whole effect on them. */
const CALM_MS = 1_000;

type Step = { readonly name: string; readonly seconds: number; readonly joins: Joins };
type Figures = { readonly credits: number; readonly steps: readonly Step[] };

async function measure(name: string, place: Place): Promise<void> {
  const beganAt = performance.now();
  const loadBefore = loadAverage();
  await fill(thisCheckout, place, members);
  const filters = await drawFilters(place);
  const server = await startProduct(thisCheckout, place, { LIMITS: 'off', MAIL_RATE: '0.1' });
  const token = readFileSync(join(place.dataDir, 'operator-token'), 'utf8').trim();
  async function call<T>(path: string, body: object): Promise<T> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(server.url + path, request);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  const steps: Step[] = [];
  let credits = 0;
  async function beside<T>(step: string, work: () => Promise<T>): Promise<T> {
    const tag = `${name}${steps.length}`;
    const joins = startJoins(server.url, { tag, perSecond: JOINS_PER_SECOND });
    await pause(CALM_MS);
    const startedAt = performance.now();
    const result = await work();
    const stepSeconds = (performance.now() - startedAt) / 1000;
    await pause(CALM_MS);
    steps.push({ name: step, seconds: stepSeconds, joins: await joins.stop() });
    console.log(`${name}: ${step} ${stepSeconds.toFixed(2)} s`);
    return result;
  }

  await beside('nothing', () => pause(CALM_MS));
  for (const filter of filters) {
    const wanted = { kind: 'remove-members', input: { filter } };
    const preview = await beside('preview', () =>
      call<ChangePreview>(operatorPaths.previewChange, wanted),
    );
    if (preview.counts.members !== removed) throw new Error(JSON.stringify(preview));
    credits += (preview.counts.credits ?? 0) / rounds;
    const { change } = await beside('removal', () =>
      call<MadeChange>(operatorPaths.changes, { ...wanted, reason: 'measured' }),
    );
    const undoPath = fillPath(operatorPaths.undoChange, String(change));
    await beside('undo', () => call(undoPath, { reason: 'measured' }));
  }
  await server.stop();
  await verify(thisCheckout, place);
  keepRecord(cache, {
    part: name,
    at: new Date().toISOString(),
    seconds: (performance.now() - beganAt) / 1000,
    machine: describeMachine(),
    loadBefore,
    loadAfter: loadAverage(),
    command:
      `npm run bench:removal -- --engines ${name} --members ${members} ` +
      `--removed ${removed} --rounds ${rounds}`,
    figures: { credits, steps } satisfies Figures,
  });
}

/** One for each round: members who joined one after the other, within some hours of one day. */
async function drawFilters(place: Place): Promise<MemberFilter[]> {
  const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
  const filters: MemberFilter[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const first = Math.floor((members * round) / (rounds + 1));
    const { rows } = await database.runSql(
      'select joined_at from member where sequence in ($1, $2) order by sequence',
      [first, first + removed],
    );
    const [from, to] = (rows as { joined_at: Date }[]).map(({ joined_at }) =>
      new Date(joined_at.getTime() + 1).toISOString(),
    );
    filters.push({ joined_from: from ?? '', joined_to: to ?? '' });
  }
  await database.close();
  return filters;
}

function report(name: string): string {
  const record = readRecord(cache, name);
  if (record === null) return `## ${name}\n\nNot measured.`;
  const { credits, steps } = record.figures as Figures;
  const names = [...new Set(steps.map((step) => step.name))];
  const rows = names.map((step) => {
    const runs = steps.filter((one) => one.name === step);
    const most = (of: (one: Step) => number) => Math.max(...runs.map(of));
    return [
      step,
      short(most(({ seconds }) => seconds)),
      whole(runs.reduce((sum, { joins }) => sum + joins.answered, 0)),
      whole(runs.reduce((sum, { joins }) => sum + joins.refused, 0)),
      whole(most(({ joins }) => joins.longestMs)),
    ];
  });
  const head = ['step', 'slowest s', 'joins', 'refused', 'longest join ms'];
  return `## ${name}

${record.at.slice(0, 10)}, ${record.machine}, load ${record.loadBefore} before and
${record.loadAfter} after. ${whole(credits)} credits are taken back each time. Again:
\`${record.command}\`

${table(head, rows)}`;
}

build(thisCheckout);
await onEngines(values.engines.split(','), async (engine, newPlace) =>
  measure(engine, await newPlace()),
);
writeFileSync(
  fileURLToPath(new URL('../REMOVAL.md', import.meta.url)),
  `# Removing thousands

${whole(removed)} of ${whole(members)} members leave the line by a filter, and come
back by an undo, over the operator API, while ${JOINS_PER_SECOND} visitors a second join through
the same server; ${rounds} rounds with other members each. Every join is counted, from a second
before a step to a second after it. Each run ends with \`npm run verify\`.

${ENGINES.map(report).join('\n\n')}
`,
);
