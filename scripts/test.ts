/** `npm test`: every check there is, the same that CI runs, with a summary at the end. */
import { spawnSync } from 'node:child_process';
import { ensureChromium } from './chromium.ts';

type Step = { readonly name: string; readonly command: readonly string[] };

const steps: readonly Step[] = [
  { name: 'format and lint', command: ['biome', 'ci', '--error-on-warnings', '.'] },
  { name: 'types', command: ['tsc', '-b'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'build', command: ['node', 'scripts/build.ts'] },
  { name: 'unit, property, architecture and byte budgets', command: ['vitest', 'run', '--project', 'unit'] },
  {
    name: 'line, HTTP, mail and faults on both engines',
    // Two at once on two cores, where Vitest would take one: these tests wait for disks, servers and deadlines more than they compute.
    command: ['vitest', 'run', '--project', 'database', '--maxWorkers', '2'],
  },
  { name: 'browser', command: ['vitest', 'run', '--project', 'browser'] },
];

function runStep({ name, command }: Step): { name: string; isPassed: boolean; seconds: number } {
  console.log(`\n== ${name}: ${command.join(' ')}`);
  const startedAt = Date.now();
  const [program = '', ...words] = command;
  const run = spawnSync(program, words, {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (run.error) console.error(`${program} did not start: ${run.error.message}`);
  return { name, isPassed: run.status === 0, seconds: (Date.now() - startedAt) / 1000 };
}

try {
  process.env.CHROMIUM_PATH = ensureChromium();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const results = steps.map(runStep);
console.log('');
for (const { name, isPassed, seconds } of results) {
  console.log(`${isPassed ? 'passed' : 'FAILED'}  ${seconds.toFixed(0).padStart(4)} s  ${name}`);
}
process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1;
