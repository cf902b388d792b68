/** How long a killed server of the embedded engine is away, and what its start does meanwhile. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Stats } from '../../contract/schemas.ts';
import { freePort, type ServerProcess, startServer } from '../support/server-process.ts';
import { isLong } from '../support/test-form.ts';
import { recordFault, recordStarts, type StartParts } from './fault-record.ts';
import { openHistory } from './history.ts';
import { untilReady } from './machine.ts';
import type { StartMark } from './start-marks.ts';
import { startVisitors, untilJoined } from './visitors.ts';

const MEMBERS = isLong ? 100_000 : 500;
const KILLS = isLong ? 9 : 1;
const JOINS_PER_KILL = isLong ? 500 : 20;
const VISITORS = 16;
const GENERATE = fileURLToPath(new URL('../../bench/generate.ts', import.meta.url));
const MARKS = new URL('./start-marks.ts', import.meta.url).href;

let server: ServerProcess | undefined;

test(`a killed server with ${MEMBERS} members is back with every join (kills: ${KILLS})`, async ({
  onTestFinished,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-restart-'));
  onTestFinished(async () => {
    await server?.kill();
    rmSync(folder, { recursive: true });
  });
  const dataDir = join(folder, 'data');
  const words = [GENERATE, '--members', String(MEMBERS), '--data-dir', dataDir];
  execFileSync(process.execPath, words, { stdio: 'ignore' });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  async function start(marks: string): Promise<void> {
    server = await startServer({
      PORT: String(port),
      DATA_DIR: dataDir,
      LIMITS: 'off',
      START_MARKS: join(folder, marks),
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${MARKS}`,
    });
    await untilReady(url);
  }

  const history = openHistory({ membersBefore: MEMBERS });
  const starts: StartParts[] = [];
  await start('first');
  for (let trial = 0; trial < KILLS; trial += 1) {
    const visitors = startVisitors(url, VISITORS, history, { seed: String(trial) });
    await untilJoined(history, JOINS_PER_KILL);
    // Nobody asks during the start, which has the machine to itself.
    await visitors.stop();
    const killedAt = now();
    await server?.kill();
    await start(String(trial));
    starts.push(partsOf(killedAt, readMarks(join(folder, String(trial))), now()));
  }

  const { members, violations } = history;
  const stats = (await (await fetch(url + apiPaths.stats)).json()) as Stats;
  const lost = [];
  for (const { id } of members)
    if ((await fetch(url + fillPath(apiPaths.status, id))).status !== 200) lost.push(id);
  const duplicated = stats.total_signups - MEMBERS - (members.length - lost.length);
  recordFault({
    fault: `Server killed at ${MEMBERS.toLocaleString('en')} members, then left alone, embedded`,
    trials: KILLS,
    acknowledged: members.length,
    lost: lost.length,
    duplicated,
    readyMs: starts.map(({ readyMs }) => readyMs),
  });
  recordStarts({ members: MEMBERS, starts });
  expect({ lost, duplicated, violations }).toEqual({ lost: [], duplicated: 0, violations: [] });
  for (const { modulesMs, engineMs, recoveryMs, restMs } of starts)
    expect(Math.min(modulesMs, engineMs, recoveryMs, restMs)).toBeGreaterThan(0);
});

/** On one clock with the marks of another process. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function readMarks(file: string): StartMark[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as StartMark);
}

function partsOf(killedAt: number, marks: readonly StartMark[], readyAt: number): StartParts {
  const [engine, recovery, rest] = marks;
  if (!engine || !recovery || !rest) throw new Error(`Marks are missing: ${JSON.stringify(marks)}`);
  expect(marks.map(({ part }) => part)).toEqual(['engine', 'recovery', 'rest']);
  return {
    readyMs: readyAt - killedAt,
    modulesMs: engine.at - killedAt,
    engineMs: recovery.at - engine.at,
    recoveryMs: rest.at - recovery.at,
    fsyncMs: rest.fsyncMs - recovery.fsyncMs,
    restMs: readyAt - rest.at,
  };
}
