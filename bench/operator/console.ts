/**
 * `npm run bench:console`: server time of the operator's lists at a million members, on both
 * engines. Writes bench/CONSOLE.md. Options: --members, --engines embedded,postgres; the report has
 * the last figures of each engine.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../server/db/open.ts';
import { fill, type Place, thisCheckout } from '../checkout.ts';
import { drawStates } from '../console/draw-states.ts';
import { type ListFigures, measureLists } from '../console/measure-lists.ts';
import {
  type CallFigures,
  type ExportFigures,
  measureExports,
  measureQueue,
} from '../console/measure-queue.ts';
import { short, table, whole } from '../report/markdown.ts';
import { describeMachine, keepRecord, loadAverage, readRecord } from '../report/records.ts';
import { onEngines } from './on-engines.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '1000000' },
    engines: { type: 'string', default: 'embedded,postgres' },
  },
});
const members = Number(values.members);
const ENGINES = ['embedded', 'postgres'] as const;
const cache = join(thisCheckout.root, '.cache/bench-console');

type Figures = {
  readonly readySeconds: number;
  readonly lists: readonly ListFigures[];
  readonly queue: readonly CallFigures[];
  readonly exports: readonly ExportFigures[];
};

async function measure(name: string, place: Place): Promise<void> {
  const beganAt = performance.now();
  const loadBefore = loadAverage();
  await fill(thisCheckout, place, members);
  const database = await openDatabase({ ...place, log: () => {} });
  await drawStates(database, members);
  const lists = await measureLists(database, (line) => console.log(`${name}: ${line}`));
  const queue = await measureQueue(database);
  const figures: Figures = { ...lists, queue, exports: await measureExports(database) };
  await database.close();
  keepRecord(cache, {
    part: name,
    at: new Date().toISOString(),
    seconds: (performance.now() - beganAt) / 1000,
    machine: describeMachine(),
    loadBefore,
    loadAfter: loadAverage(),
    command: `npm run bench:console -- --engines ${name} --members ${members}`,
    figures,
  });
}

function report(name: string): string {
  const record = readRecord(cache, name);
  if (record === null) return `## ${name}\n\nNot measured.`;
  const { readySeconds, lists, queue, exports } = record.figures as Figures;
  const rows = lists.map((list) => [
    list.name,
    list.counted,
    ...[list.firstMedian, list.firstMax, list.deepMedian, list.deepMax].map(whole),
    list.partial === 0 ? '' : `${list.partial} of ${list.pages}`,
    whole(list.countMs),
  ]);
  const head = ['ms', 'members', 'first page', 'slowest', 'deep page', 'slowest', 'in parts'];
  return `## ${name}

\`${record.command}\`

${record.machine}. ${record.at.slice(0, 10)}, load
average ${short(record.loadBefore)} before, ${short(record.loadAfter)} after. All addresses were
in memory after ${short(readySeconds)} s.

${table([...head, 'count'], rows)}

${table(
  ['held credits, ms', 'median', 'slowest'],
  queue.map((call) => [call.name, short(call.medianMs), short(call.slowestMs)]),
)}

${table(
  ['export', 'members', 'seconds'],
  exports.map(({ filter, members, seconds }) => [filter, whole(members), short(seconds)]),
)}`;
}

await onEngines(
  values.engines.split(','),
  async (engine, newPlace) => measure(engine, await newPlace()),
  { shared_buffers: '1GB' },
);
const text = `# Lists of the console

Server time of a page of 50 of ${whole(members)} members, in milliseconds: median and slowest of
the three orders in both directions. Deep pages are the 20 after the first, and one in the middle of
the line. Pages "in parts" stopped after 40 ms before they were full; the console then loads the
rest automatically ([0064](../docs/decisions/0064-lists-of-a-million.md)). Calls about held credits
are timed 15 times. An export is read to its end, with nothing written.

${ENGINES.map(report).join('\n\n')}
`;
writeFileSync(fileURLToPath(new URL('../CONSOLE.md', import.meta.url)), text);
console.log(text);
