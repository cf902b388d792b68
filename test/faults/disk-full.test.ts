import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { engines } from '../support/engines.ts';
import { recordFault } from './fault-record.ts';
import { openHistory } from './history.ts';
import { createMachine, untilReady } from './machine.ts';
import { createDisk } from './power-cut-disk.ts';
import { startVisitors } from './visitors.ts';

const TRIALS = process.env.FAULTS === 'full' ? 5 : 1;
const VISITORS = 16;
const DISK_MEGABYTES = 384;
const FULL_MS = 5_000;
/** Generous: the machine has other things to do. */
const READY_WITHIN_MS = 20_000;

/** Writes until there is room for nothing. */
function fill(file: string): void {
  for (const bytes of [1024 * 1024, 4096, 1]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
}

test.each(engines)(
  'a full disk under %s loses nothing, and with room again joins go on',
  {
    timeout: TRIALS * 60_000,
  },
  async (engine) => {
    const disk = createDisk(DISK_MEGABYTES);
    const machine = await createMachine(engine, disk.folder);
    const history = openHistory();
    const readyMs: number[] = [];
    try {
      await machine.startDatabase();
      await machine.startServer();
      const visitors = startVisitors(machine.url, VISITORS, history);
      for (let trial = 1; trial <= TRIALS; trial += 1) {
        const before = history.members.length;
        while (history.members.length < before + VISITORS) await delay(10);
        const refusals = visitors.refusals();
        const ballast = join(disk.folder, 'ballast');
        const filling = setInterval(() => fill(ballast), 100);
        await delay(FULL_MS);
        clearInterval(filling);
        rmSync(ballast);

        const since = performance.now();
        const joined = history.members.length;
        const revived = await machine.revive();
        // The embedded database ends its server, for its supervisor to start; PostgreSQL ends alone.
        if (engine === 'postgres') expect(revived).not.toContain('server');
        expect(revived.length + visitors.refusals() - refusals, 'the full disk was noticed').toBeGreaterThan(0);
        await untilReady(machine.url);
        while (history.members.length === joined) await delay(10);
        readyMs.push(performance.now() - since);
      }
      await visitors.stop();
      await machine.stop();
      const { line, differences } = await machine.readLine();
      const { lost, duplicated, untrue } = history.judge(line);
      recordFault({
        fault: `Disk full for 5 s, ${engine}`,
        trials: TRIALS,
        acknowledged: history.members.length,
        lost: lost.length,
        duplicated: duplicated.length,
        readyMs,
      });
      expect({ lost, duplicated, untrue, differences, violations: history.violations }).toEqual({
        lost: [],
        duplicated: [],
        untrue: [],
        differences: [],
        violations: [],
      });
      expect(Math.max(...readyMs)).toBeLessThan(READY_WITHIN_MS);
    } finally {
      await machine.remove();
      disk.remove();
    }
  },
);
