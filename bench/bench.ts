import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { readOptions, refuse } from '../scripts/command-line/read-options.ts';
import { build, otherCheckout, thisCheckout } from './checkout.ts';
import { fairnessPart } from './fairness/fairness.ts';
import type { Part } from './part.ts';
import { crowdPart, stepsPart } from './parts/drop.ts';
import { growthPart } from './parts/growth.ts';
import { lighthousePart } from './parts/lighthouse.ts';
import { livePart } from './parts/live.ts';
import { speedPart } from './parts/speed.ts';
import { ENGINES, openPlaces } from './places.ts';
import { isMet, writeReport } from './report/report.ts';

const SPEED_PARTS = ENGINES.map(speedPart);
const USUAL_PARTS = [...SPEED_PARTS, growthPart];
const PARTS: readonly Part[] = [
  ...USUAL_PARTS,
  ...ENGINES.map(livePart),
  crowdPart,
  ...ENGINES.map(stepsPart),
  fairnessPart,
  lighthousePart,
];

const namesOf = (parts: readonly Part[]) => parts.map(({ name }) => name).join();
const groupOf = (name: string) => name.replace(/-.*/, '');

const { beside, only } = readOptions('npm run bench: measures, and writes reports into bench/.', {
  only: [
    '',
    `Only some of ${[...new Set(PARTS.map(({ name }) => groupOf(name)))].join()}.\n      ` +
      `By default ${namesOf(USUAL_PARTS)}. Some have parts of their own, such as live-postgres.`,
  ],
  beside: [
    '',
    `Another checkout, whose ${namesOf(SPEED_PARTS)} are measured in turns with those of this ` +
      'one.\n      The report is in .cache/bench-beside/.',
  ],
});

const known = beside ? SPEED_PARTS : PARTS;
const words = (only || namesOf(beside ? SPEED_PARTS : USUAL_PARTS)).split(',');
const isNamed = (name: string, word: string) => name === word || groupOf(name) === word;
const unknown = words.filter((word) => !known.some(({ name }) => isNamed(name, word)));
if (unknown.length > 0) refuse(`No part ${unknown.join()} among ${namesOf(known)}.`);
const chosen = known.filter(({ name }) => words.some((word) => isNamed(name, word)));

const checkouts = [thisCheckout, ...(beside ? [otherCheckout(resolve(beside))] : [])];
const folder = join(thisCheckout.root, beside ? '.cache/bench-beside' : 'bench');
if (beside) rmSync(folder, { recursive: true, force: true });
checkouts.forEach(build);
for (const part of chosen) await runPart(part);

async function runPart({ name, writes, scale, isGate, measure }: Part): Promise<void> {
  const places = openPlaces();
  const endBySignal = async () => {
    await places.stop();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, endBySignal);
  const [beganAt, [loadBefore = 0]] = [performance.now(), loadavg()];
  const elapsed = () => (performance.now() - beganAt) / 1000;
  const log = (line: string) => console.log(`${name} ${elapsed().toFixed(0)} s: ${line}`);
  try {
    const newPlace = places.create;
    const { section, targets = [] } = await measure({ checkouts, newPlace, log });
    const path = join(folder, writes);
    writeReport(path, {
      name,
      command: `npm run bench -- --only ${name}${beside ? ' --beside FOLDER' : ''}`,
      scale: Object.entries(scale).map((entry) => entry.join(' ')),
      seconds: elapsed(),
      loadBefore,
      loadAfter: loadavg()[0] ?? 0,
      targets,
      section,
    });
    log(`${path} has the figures`);
    const missed = targets.filter((target) => !isMet(target));
    for (const { what } of missed) log(`missed: ${what}`);
    if (isGate && missed.length > 0) process.exitCode = 1;
  } finally {
    await places.stop();
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, endBySignal);
}
