import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { defaultEngine } from '../support/engines.ts';
import { isFull } from '../support/short-form.ts';
import { concludeVisits } from './conclude-trials.ts';
import { openHistory } from './history.ts';
import { createMachine } from './machine.ts';
import { createDisk, fillDisk } from './power-cut-disk.ts';
import { startVisitors, timeReturn, untilJoined } from './visitors.ts';

const TRIALS = isFull ? 5 : 1;
const VISITORS = 16;
const DISK_MEGABYTES = 384;
const FULL_MS = isFull ? 5_000 : 500;
/** Generous, because the machine may be busy. */
const READY_WITHIN_MS = 20_000;

test.each(defaultEngine)(
  'a full disk under %s loses nothing, and joins go on once there is room',
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
        await untilJoined(history, VISITORS);
        const refusals = visitors.refusals();
        const ballast = join(disk.folder, 'ballast');
        const filling = setInterval(() => fillDisk(ballast), 100);
        await delay(FULL_MS);
        // Nobody may have needed the room yet.
        const isNoticed = async () =>
          visitors.refusals() > refusals ||
          (await fetch(`${machine.url}/readyz`).catch(() => null)) === null;
        while (!(await isNoticed())) await delay(100);
        clearInterval(filling);
        rmSync(ballast);

        const back = await timeReturn(history, async () => {
          // The embedded engine takes its server down with it, some answers later perhaps.
          const revived: string[] = [];
          let isBack = false;
          void untilJoined(history, VISITORS).then(() => {
            isBack = true;
          });
          while (!isBack) {
            revived.push(...(await machine.revive()));
            await delay(20);
          }
          // PostgreSQL ends alone.
          if (engine === 'postgres') expect(revived).not.toContain('server');
          expect(
            revived.length + visitors.refusals() - refusals,
            'the full disk was noticed',
          ).toBeGreaterThan(0);
        });
        readyMs.push(back);
      }
      await concludeVisits({
        machine,
        visitors,
        history,
        fault: `Disk full for 5 s, ${engine}`,
        readyMs,
        readyWithinMs: READY_WITHIN_MS,
      });
    } finally {
      await machine.remove();
      disk.remove();
    }
  },
);
