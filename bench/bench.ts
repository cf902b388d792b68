import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions, refuse } from '../scripts/command-line/read-options.ts';
import { build, otherCheckout, thisCheckout } from './checkout.ts';
import { fairnessPart } from './fairness/fairness.ts';
import { MEANINGS, type Part, type PartOptions } from './part.ts';
import { crowdPart, stepsPart } from './parts/drop.ts';
import { growthPart } from './parts/growth.ts';
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
  crowdPart,
  ...ENGINES.map(stepsPart),
  fairnessPart,
  lighthousePart,
];
const PATIENCE_MS = 3_000;

const speedParts = PARTS.filter(({ writes }) => writes === RESULTS);
const namesOf = (parts: readonly Part[]) => parts.map(({ name }) => name).join();
const kinds = new Set(PARTS.map(({ name }) => name.replace(/-.*/, '')));

const flagOf = (option: string) =>
  option.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
const explained = Object.entries(MEANINGS).map(([option, meaning]) => {
  const about = `${meaning}\n      ${describeDefaults(option as keyof PartOptions)}`;
  return [flagOf(option), ['', about]] as const;
});
const given: Readonly<Record<string, string>> = readOptions('npm run bench: measures', {
  only: [
    '',
    `Only some of ${[...kinds].join()}.\n      By default ${namesOf(speedParts)}. ` +
      'Some have parts of their own, such as live-postgres.',
  ],
  beside: ['', 'Another checkout, measured in turns with this one, into .cache/bench-beside/.'],
  ...Object.fromEntries(explained),
});

const { beside, only } = given;
const known = beside ? speedParts : PARTS;
const words = only ? only.split(',') : speedParts.map(({ name }) => name);
const isNamed = (name: string, word: string) => name === word || name.startsWith(`${word}-`);
const unknown = words.filter((word) => !known.some(({ name }) => isNamed(name, word)));
if (unknown.length > 0) refuse(`No part ${unknown.join()} among ${namesOf(known)}.`);
const chosen = known
  .filter(({ name }) => words.some((word) => isNamed(name, word)))
  .map((part) => ({ part, options: optionsOf(part) }));

const unused = Object.keys(MEANINGS).find(
  (option) => given[flagOf(option)] && !chosen.some(({ options }) => option in options),
);
if (unused) refuse(`--${flagOf(unused)} is an option of none of ${words.join()}.`);

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
  for (const { part, options } of chosen) await runPart(part, options);
} finally {
  await places.stop();
}

async function runPart(part: Part, options: PartOptions): Promise<void> {
  const [beganAt, [loadBefore = 0]] = [performance.now(), loadavg()];
  const elapsed = () => (performance.now() - beganAt) / 1000;
  const log = (line: string) => console.log(`${part.name} ${elapsed().toFixed(0)} s: ${line}`);
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

function describeDefaults(option: keyof PartOptions): string {
  const having = PARTS.filter(({ options }) => options[option] !== undefined);
  const byValue = Map.groupBy(having, ({ options }) => String(options[option]));
  const described = Array.from(byValue, ([value, parts]) => {
    const kinds = new Set(parts.map(({ name }) => name.replace(/-(embedded|postgres)$/, '')));
    return `${value} (${[...kinds].join(', ')})`;
  });
  return `By default ${described.join(', ')}.`;
}

function optionsOf({ options }: Part): PartOptions {
  const entries = Object.entries(options).map(([option, usual]) => {
    const text = given[flagOf(option)];
    if (!text) return [option, usual];
    const numberOf = (word: string) => {
      if (Number(word) >= 0) return Number(word);
      return refuse(`--${flagOf(option)} must be a number, not ${word}.`);
    };
    if (!Array.isArray(usual)) return [option, numberOf(text)];
    const all = text.split(',');
    return [option, typeof usual[0] === 'number' ? all.map(numberOf) : all];
  });
  return Object.fromEntries(entries);
}

function describeOptions(options: PartOptions): string {
  return Object.entries(options)
    .map(([option, value]) => `--${flagOf(option)} ${value}`)
    .join(' ');
}
