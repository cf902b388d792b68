/**
 * `npm test` runs what has to hold before a change lands. `npm run test:all` (`--all`) adds the
 * files named `*.all.*`, and the parts of other files that `test/support/test-form.ts` leaves out.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.ts';
import { ensureOtherEngines } from './other-engines.ts';

type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };
type Step = {
  readonly name: string;
  readonly command: readonly string[];
  /** File with the counts of a step that runs many tests. */
  readonly report?: string;
};
type Result = Pick<Step, 'name'> & {
  readonly counts: Counts;
  readonly seconds: number;
  readonly printed: string;
};

const isAll = process.argv.includes('--all');
const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 6 * 2 ** 30;

function runStep({ name, command: [program = '', ...words], report }: Step): Promise<Result> {
  console.log(`-- ${name} ...`);
  const startedAt = Date.now();
  const options = {
    maxBuffer: Number.POSITIVE_INFINITY,
    shell: process.platform === 'win32',
    env: { ...process.env, ...(isAll && { TESTS: 'all' }) },
  };
  return new Promise((resolve) => {
    execFile(program, words, options, (error, stdout, stderr) => {
      const seconds = (Date.now() - startedAt) / 1000;
      const printed = `\n== ${name}\n${stdout}${error?.message ?? stderr}`;
      if (error === null) console.log(printed);
      resolve({ name, counts: countTests(error === null, report), seconds, printed });
    });
  });
}

/** A step without a report counts as one test. One that fails has at least one failure. */
function countTests(isPassed: boolean, report: string | undefined): Counts {
  if (report === undefined || !existsSync(report))
    return { passed: Number(isPassed), failed: Number(!isPassed), skipped: 0 };
  const found: VitestReport = JSON.parse(readFileSync(report, 'utf8'));
  return {
    passed: found.numPassedTests,
    failed: Math.max(found.numFailedTests, Number(!isPassed)),
    skipped: found.numPendingTests + found.numTodoTests,
  };
}

type VitestReport = Readonly<
  Record<'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests', number>
>;

async function runLane(steps: readonly Step[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const step of steps) results.push(await runStep(step));
  return results;
}

/** On disk, hundreds of test databases would be slow. Null without enough memory. */
function createMemoryFolder(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ENOUGH_BYTES) return null;
    const folder = mkdtempSync(join(MEMORY, 'waitlist-tests-'));
    chmodSync(folder, 0o755);
    return folder;
  } catch {
    return null;
  }
}

try {
  process.env.CHROMIUM_PATH = ensureChromium();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const missing = isAll ? ensureOtherEngines() : [];
for (const sentence of missing) console.log(sentence);

const folder = createMemoryFolder() ?? mkdtempSync(join(tmpdir(), 'waitlist-tests-'));
process.env.TMPDIR = folder;
process.on('exit', () => {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.error(`${folder} is still there: ${error}`);
  }
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const report = join(folder, 'tests.json');
/** Side by side: more workers than processors, since many tests wait for servers and deadlines. */
const lanes: readonly (readonly Step[])[] = [
  [
    {
      name: 'tests',
      command: [
        ...['vitest', 'run', '--maxWorkers', isAll ? '4' : '3', '--outputFile.json', report],
        ...['--reporter', 'default', '--reporter', 'json'],
        ...['unit', 'database', 'browser'].flatMap((project) => ['--project', project]),
      ],
      report,
    },
  ],
  [
    { name: 'format and lint', command: ['biome', 'ci', '--error-on-warnings', '.'] },
    // With two processors, more threads than these would check the same types again.
    { name: 'types', command: ['tsc', '-b', '--checkers', '1', '--builders', '2'] },
    { name: 'dead code', command: ['knip'] },
  ],
];

const startedAt = Date.now();
const build = await runStep({ name: 'build', command: ['node', 'scripts/build.ts'] });
const results = [build, ...(await Promise.all(lanes.map(runLane))).flat()];
const failed = results.filter(({ counts }) => counts.failed > 0);

// What failed is printed last, where one looks.
for (const { printed } of failed) console.log(printed);
for (const sentence of missing) console.log(sentence);
for (const { name, counts, seconds } of results)
  console.log(
    `${counts.failed ? 'FAILED' : 'passed'}  ${seconds.toFixed(0).padStart(4)} s  ${name}`,
  );
console.log(`\n${((Date.now() - startedAt) / 60_000).toFixed(1)} minutes`);
const sum = (kind: keyof Counts) => results.reduce((total, { counts }) => total + counts[kind], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exitCode = failed.length === 0 ? 0 : 1;
