/** `npm run runbook`: runs the operators' documents, and compares what their commands print. */
import { spawnSync } from 'node:child_process';
import { apiPaths } from '../../contract/paths.ts';
import {
  type Block,
  DOCUMENTS,
  findMissing,
  NOT_RUN,
  OPTIONAL_PROGRAMS,
  readBlocks,
} from './blocks.ts';
import { openScratch, type Scratch } from './scratch.ts';

const MEMBERS = ['ada@example.com', 'grace@example.com', 'mary@example.com'];
const COMMAND_TIMEOUT_MS = 600_000;

type Result = { readonly isRun: boolean; readonly faults: readonly string[] };

function runBlock(scratch: Scratch, { commands, printed, free }: Block): Result {
  const reason =
    NOT_RUN.find(({ words }) => commands.includes(words))?.because ?? missingProgram(commands);
  if (reason !== null) {
    console.log(`  not run: ${reason}`);
    return { isRun: false, faults: [] };
  }
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['-euo', 'pipefail', '-c', scratch.adapt(commands)],
    {
      cwd: scratch.app,
      env: scratch.environment,
      encoding: 'utf8',
      // A server that it starts keeps running, so its output must not be waited for.
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_TIMEOUT_MS,
    },
  );
  const missing = printed === null ? [] : findMissing(scratch.adapt(printed), stdout, free);
  const faults = missing.map((line) => `did not print: ${line}`);
  if (status !== 0) faults.unshift(`ended with ${status}`);
  if (faults.length > 0) console.log(`${stdout}${stderr}`);
  return { isRun: true, faults };
}

function missingProgram(commands: string): string | null {
  const missing = OPTIONAL_PROGRAMS.find(
    (program) => commands.includes(program) && spawnSync(program, ['--version']).error,
  );
  return missing === undefined ? null : `${missing} is not installed`;
}

function firstCommand({ commands }: Block): string {
  return commands.split('\n').find((line) => !line.startsWith('#')) ?? '';
}

async function join(url: string, email: string): Promise<void> {
  const { status } = await fetch(url + apiPaths.join, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, referred_by: null }),
  });
  if (status !== 201) throw new Error(`A join was answered with ${status}.`);
}

const startedAt = Date.now();
const scratch = await openScratch();
const counts = { run: 0, notRun: 0, failed: 0 };
try {
  const start = { document: 'the start', line: 0, commands: 'systemctl start waitlist' };
  if (runBlock(scratch, { ...start, printed: null, free: [] }).faults.length > 0)
    throw new Error('The server did not start.');
  for (const email of MEMBERS) await join(scratch.url, email);
  for (const block of DOCUMENTS.flatMap(readBlocks)) {
    console.log(`${block.document}:${block.line}  ${firstCommand(block)}`);
    const { isRun, faults } = runBlock(scratch, block);
    for (const fault of faults) console.log(`  FAILED: ${fault}`);
    counts[isRun ? 'run' : 'notRun'] += 1;
    if (faults.length > 0) counts.failed += 1;
  }
} finally {
  await scratch.remove();
}
const seconds = Math.round((Date.now() - startedAt) / 1000);
console.log(
  `\n${counts.run} blocks run, ${counts.notRun} not run, ${counts.failed} failed, in ${seconds} s`,
);
process.exitCode = counts.failed === 0 ? 0 : 1;
