import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureOtherEngines } from './browsers/other-engines.ts';
import { ensureChromium } from './chromium.ts';

type Step = { readonly name: string; readonly command: readonly string[] };
type Result = Step & {
  readonly isPassed: boolean;
  readonly seconds: number;
  readonly printed: string;
};

const build: Step = { name: 'build', command: ['node', 'scripts/build.ts'] };

/** Side by side. Both last about as long, so that neither leaves a core idle at the end. */
const lanes: readonly (readonly Step[])[] = [
  [
    {
      name: 'unit, property, architecture and byte budgets',
      command: ['vitest', 'run', '--project', 'unit'],
    },
    {
      name: 'line, HTTP, mail and faults on both engines',
      // More workers than processors: most of its tests wait for servers, disks and deadlines.
      command: ['vitest', 'run', '--project', 'database', '--maxWorkers', '3'],
    },
  ],
  [
    { name: 'format and lint', command: ['biome', 'ci', '--error-on-warnings', '.'] },
    { name: 'types', command: ['tsc', '-b'] },
    { name: 'dead code', command: ['knip'] },
    { name: 'browser', command: ['vitest', 'run', '--project', 'browser'] },
  ],
];

const MEMORY = '/dev/shm';
const ENOUGH_BYTES = 6 * 2 ** 30;
const MOST_EXPLAINED = 16;
const MOST_LINES = 60;

function runStep({ name, command }: Step): Promise<Result> {
  console.log(`-- ${name} ...`);
  const startedAt = Date.now();
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => printed.push(chunk));
  return new Promise((resolve) => {
    const end = (isPassed: boolean) => {
      const seconds = (Date.now() - startedAt) / 1000;
      console.log(`\n== ${name}: ${command.join(' ')}`);
      process.stdout.write(Buffer.concat(printed));
      resolve({ name, command, isPassed, seconds, printed: Buffer.concat(printed).toString() });
    };
    child.on('error', (error) => {
      printed.push(Buffer.from(`${program} did not start: ${error.message}\n`));
      end(false);
    });
    child.on('close', (code, signal) => {
      if (code !== 0) printed.push(Buffer.from(`${program} ended with ${signal ?? code}.\n`));
      end(code === 0);
    });
  });
}

async function runLane(steps: readonly Step[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const step of steps) results.push(await runStep(step));
  return results;
}

function explainFailure({ name, printed }: Result): readonly string[] {
  const lines = stripVTControlCharacters(printed)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const tests = lines.flatMap((line, index) => {
    if (!line.startsWith('FAIL ')) return [];
    const following = lines.slice(index + 1, index + MOST_EXPLAINED);
    const end = following.findIndex((next) => /^(FAIL |❯ |⎯)/.test(next));
    return [line, ...(end < 0 ? following : following.slice(0, end))];
  });
  const errors = lines.filter((line) => /^\w*Error: /.test(line)).slice(0, 4);
  const explained = tests.length > 0 ? tests : [...errors, ...lines.slice(-4)];
  return [`In ${name}:`, ...explained.map((line) => `  ${line.slice(0, 200)}`)];
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

const skipped = ensureOtherEngines();
for (const sentence of skipped) console.log(sentence);

const memoryFolder = createMemoryFolder();
if (memoryFolder !== null) process.env.TMPDIR = memoryFolder;
process.on('exit', () => {
  try {
    if (memoryFolder !== null) rmSync(memoryFolder, { recursive: true, force: true });
  } catch (error) {
    console.error(`${memoryFolder} is still there: ${error}`);
  }
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

const startedAt = Date.now();
const results = [await runStep(build), ...(await Promise.all(lanes.map(runLane))).flat()];
const failed = results.filter(({ isPassed }) => !isPassed);

console.log('');
const explained = failed.flatMap(explainFailure);
if (explained.length > 0) console.log(explained.slice(0, MOST_LINES).join('\n'));
if (explained.length > MOST_LINES)
  console.log(`  and ${explained.length - MOST_LINES} more lines, above`);
for (const sentence of skipped) console.log(sentence);
for (const { name, isPassed, seconds } of results)
  console.log(`${isPassed ? 'passed' : 'FAILED'}  ${seconds.toFixed(0).padStart(4)} s  ${name}`);
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
console.log(`\n${failed.length} of ${results.length} steps failed, in ${minutes} minutes`);
process.exitCode = failed.length === 0 ? 0 : 1;
