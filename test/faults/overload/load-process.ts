/**
 * Runs the load generator in its own process, and watches the server's memory. In full, the
 * generator has the first core to itself: it must not slow down what it measures.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { availableParallelism, platform } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isLong } from '../../support/test-form.ts';
import type { LoadPlan, LoadResult } from './offer-load.ts';
import type { Member } from './visits.ts';

const MAIN = fileURLToPath(new URL('./load-main.ts', import.meta.url));
/** Enough to read statuses of and be invited by. */
const MEMBERS_TOLD = 1_000;
const LOOK_MS = 500;

const hasOwnCore = isLong && platform() === 'linux' && availableParallelism() > 1;

/** Keeps a process, its threads and those it will start off the generator's core. */
export function keepOffClientsCore(pid: number): void {
  const others = `1-${availableParallelism() - 1}`;
  if (hasOwnCore) execFileSync('taskset', ['-acp', others, String(pid)], { stdio: 'ignore' });
}

/** Adds everybody whose join was acknowledged to `members`. */
export async function runLoad(plan: LoadPlan, members: Member[]): Promise<LoadResult> {
  const command = [...(hasOwnCore ? ['taskset', '-c', '0'] : []), process.execPath, MAIN];
  const [program = '', ...words] = command;
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ plan, members: members.slice(-MEMBERS_TOLD) }));
  const printed = JSON.parse(await text(child.stdout)) as { result: LoadResult; members: Member[] };
  for (const member of printed.members) members.push(member);
  return printed.result;
}

/** The resident memory of a process in bytes; 0 if there is none. */
export async function readMemory(pid: number): Promise<number> {
  const asked = promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  const { stdout } = await asked.catch(() => ({ stdout: '0' }));
  return Number(stdout) * 1024;
}

/** Returns a function that ends the watch and returns the peak memory. */
export function watchMemory(pid: number): () => number {
  let most = 0;
  const looking = setInterval(async () => {
    most = Math.max(most, await readMemory(pid));
  }, LOOK_MS);
  return () => {
    clearInterval(looking);
    return most;
  };
}
