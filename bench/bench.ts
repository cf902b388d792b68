import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions, refuse } from '../scripts/command-line/read-options.ts';
import { build, otherCheckout, thisCheckout } from './checkout.ts';
import { crowdPart, stepsPart } from './drop/drop.ts';
import { fairnessPart } from './fairness/fairness.ts';
import type { Part, PartOptions } from './part.ts';
import { decisionsPart } from './parts/decisions.ts';
import { growthPart } from './parts/growth.ts';
import { importPart } from './parts/import.ts';
import { lighthousePart } from './parts/lighthouse.ts';
import { livePart } from './parts/live.ts';
import { RESULTS, speedPart } from './parts/speed.ts';
import { ENGINES, openPlaces } from './places.ts';
import { writeReport } from './report/report.ts';
import { isMet } from './report/targets.ts';

const PARTS: readonly Part[] = [
  ...ENGINES.map(speedPart),
  growthPart,
  ...ENGINES.map(livePart),
  ...ENGINES.map(importPart),
  crowdPart,
  ...ENGINES.map(stepsPart),
  ...ENGINES.map(decisionsPart),
  ...ENGINES.map(fairnessPart),
  lighthousePart,
];
const PATIENCE_MS = 3_000;

const flagOf = (option: string) =>
  option.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
const flags = PARTS.flatMap(({ options }) => Object.keys(options).map(flagOf));
const given: Readonly<Record<string, string>> = readOptions('npm run bench: measures', {
  ...Object.fromEntries(flags.map((flag) => [flag, ['', 'Of the parts whose reports name it.']])),
  only: ['', 'Some parts, such as embedded,growth, or those of one report, such as live.'],
  beside: ['', 'A checkout to measure in turns with this one, into .cache/bench-beside/.'],
});

const { beside, only } = given;
const speedParts = PARTS.filter(({ writes }) => writes === RESULTS);
const known = beside ? speedParts : PARTS;
const words = only ? only.split(',') : speedParts.map(({ name }) => name);
const isNamed = (name: string, word: string) => name === word || name.startsWith(`${word}-`);
const unknown = words.filter((word) => !known.some(({ name }) => isNamed(name, word)));
if (unknown.length > 0)
  refuse(`No part ${unknown.join()} among ${known.map(({ name }) => name).join()}.`);

const checkouts = [thisCheckout, ...(beside ? [otherCheckout(resolve(beside))] : [])];
const folder = join(thisCheckout.root, beside ? '.cache/bench-beside' : 'bench');
if (beside) rmSync(folder, { recursive: true, force: true });
const places = openPlaces();

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await places.stop();
    await pause(PATIENCE_MS);
    await places.stop(); // The part may have started more meanwhile.
    process.exit(1);
  });
try {
  checkouts.forEach(build);
  for (const part of known) if (words.some((word) => isNamed(part.name, word))) await runPart(part);
} finally {
  await places.stop();
}

async function runPart(part: Part): Promise<void> {
  const [beganAt, [loadBefore = 0]] = [performance.now(), loadavg()];
  const elapsed = () => (performance.now() - beganAt) / 1000;
  const log = (line: string) => console.log(`${part.name} ${elapsed().toFixed(0)} s: ${line}`);
  const options = optionsOf(part);
  const figures = await part.measure({ options, checkouts, newPlace: places.create, log });
  await places.clear();
  const targets = part.targets?.(figures) ?? [];
  const path = writeReport(folder, part, {
    command: `npm run bench -- --only ${part.name}${beside ? ' --beside FOLDER' : ''}`,
    options: describeOptions(options),
    seconds: elapsed(),
    loadBefore,
    loadAfter: loadavg()[0] ?? 0,
    targets,
    section: part.describe(figures, options),
  });
  log(`${path} has the figures`);
  for (const target of targets) {
    if (isMet(target)) continue;
    log(`missed: ${target.what}`);
    if (part.isGate) process.exitCode = 1;
  }
}

function optionsOf({ options }: Part): PartOptions {
  const entries = Object.entries(options).map(([option, usual]) => {
    const text = given[flagOf(option)];
    if (!text) return [option, usual];
    if (!Array.isArray(usual)) return [option, Number(text)];
    const all = text.split(',');
    return [option, typeof usual[0] === 'number' ? all.map(Number) : all];
  });
  return Object.fromEntries(entries);
}

function describeOptions(options: PartOptions): string {
  return Object.entries(options)
    .map(([option, value]) => `--${flagOf(option)} ${value}`)
    .join(' ');
}
