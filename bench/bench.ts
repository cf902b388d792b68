/**
 * `npm run bench`: joins and reads beside baselines, measured in one run. Writes bench/RESULTS.md.
 * `--only embedded,growth` runs some parts, `--only live` those of another report; a report has the
 * last figures of each of its parts. `--only report` measures nothing. `--beside FOLDER` measures
 * another checkout, with its packages installed, in turns with this one (parts postgres, embedded,
 * growth and rating) and writes .cache/bench-beside/RESULTS.md. Each part names its further
 * options.
 */
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build, otherCheckout, thisCheckout } from './checkout.ts';
import { crowdPart, stepsPart } from './drop/drop.ts';
import { fairnessPart } from './fairness/fairness.ts';
import type { Part, PartOptions } from './part.ts';
import { decisionsPart } from './parts/decisions.ts';
import { growthPart } from './parts/growth.ts';
import { importPart } from './parts/import.ts';
import { lighthousePart } from './parts/lighthouse.ts';
import { livePart } from './parts/live.ts';
import { mailPart } from './parts/mail.ts';
import { ratingPart } from './parts/rating.ts';
import { embeddedPart, postgresPart, RESULTS } from './parts/speed.ts';
import { ENGINES, openPlaces } from './places.ts';
import { describeMachine, keepRecord, loadAverage, writeReport } from './report/report.ts';
import { isMet } from './report/targets.ts';

const PARTS: readonly Part[] = [
  postgresPart,
  embeddedPart,
  growthPart,
  ...ENGINES.map(ratingPart),
  ...ENGINES.map(mailPart),
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
const flagsOf = ({ options }: Part) => Object.keys(options).map(flagOf);
const flags = ['only', 'beside', 'cache', 'results', ...PARTS.flatMap(flagsOf)];
const given: Readonly<Record<string, string | undefined>> = parseArgs({
  options: Object.fromEntries(flags.map((flag) => [flag, { type: 'string' } as const])),
}).values;

const { beside } = given;
const speedParts = PARTS.filter(({ writes }) => writes === RESULTS);
const known = beside === undefined ? PARTS : speedParts;
const words = given.only?.split(',') ?? speedParts.map(({ name }) => name);
const isNamed = (name: string, word: string) => name === word || name.startsWith(`${word}-`);
const unknown = words.filter((word) => !known.some(({ name }) => isNamed(name, word)));
if (unknown.some((word) => word !== 'report'))
  throw new Error(`No part ${unknown.join()} among ${known.map(({ name }) => name).join()}.`);
const wanted = known.filter(({ name }) => words.some((word) => isNamed(name, word)));

const { root } = thisCheckout;
const ownCache = join(root, '.cache', beside === undefined ? 'bench' : 'bench-beside');
const records = join(given.cache ?? ownCache, 'records');
const results = given.results ?? (beside === undefined ? join(root, 'bench') : ownCache);
const checkouts = [thisCheckout, ...(beside === undefined ? [] : [otherCheckout(resolve(beside))])];
const places = openPlaces();

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await places.stop();
    await pause(PATIENCE_MS);
    await places.stop(); // The part may have started more meanwhile.
    process.exit(1);
  });
try {
  if (wanted.length > 0) checkouts.forEach(build);
  for (const part of wanted) await runPart(part);
  const reports = (words.includes('report') ? known : wanted).map(({ writes }) => writes);
  for (const report of new Set(reports)) {
    const parts = known.filter(({ writes }) => writes === report);
    if (writeReport(parts, { records, results })) console.log(`${report.file} is written.`);
  }
} finally {
  await places.stop();
}

async function runPart(part: Part): Promise<void> {
  const [beganAt, loadBefore] = [performance.now(), loadAverage()];
  const elapsed = () => (performance.now() - beganAt) / 1000;
  const log = (line: string) => console.log(`${part.name} ${elapsed().toFixed(0)} s: ${line}`);
  const options = readOptions(part);
  const figures = await part.measure({ options, checkouts, newPlace: places.create, log });
  await places.clear();
  keepRecord(records, {
    part: part.name,
    at: new Date().toISOString(),
    seconds: elapsed(),
    machine: describeMachine(),
    loadBefore,
    loadAfter: loadAverage(),
    command: commandOf(part),
    options,
    figures,
  });
  log('done');
  for (const target of part.targets?.(figures) ?? []) {
    if (isMet(target)) continue;
    log(`missed: ${target.what}`);
    if (part.isGate) process.exitCode = 1;
  }
}

function readOptions({ options }: Part): PartOptions {
  const entries = Object.entries(options).map(([option, usual]) => {
    const text = given[flagOf(option)];
    if (text === undefined) return [option, usual];
    if (!Array.isArray(usual)) return [option, Number(text)];
    const all = text.split(',');
    return [option, typeof usual[0] === 'number' ? all.map(Number) : all];
  });
  return Object.fromEntries(entries);
}

function commandOf(part: Part): string {
  const shown = flagsOf(part).flatMap((flag) => {
    const text = given[flag];
    return text === undefined ? [] : [`--${flag}`, text];
  });
  const folder = beside === undefined ? [] : ['--beside FOLDER'];
  return ['npm run bench -- --only', part.name, ...shown, ...folder].join(' ');
}
