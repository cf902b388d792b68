import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { defaultEngine } from '../support/engines.ts';
import { readMetrics } from '../support/operator-call.ts';
import { runServerToItsEnd } from '../support/server-process.ts';
import { isLong } from '../support/test-form.ts';
import { concludeVisits } from './conclude-trials.ts';
import { openHistory } from './history.ts';
import { joinOverHttp } from './join-load.ts';
import { createMachine } from './machine.ts';
import { createDisk, fillDisk } from './power-cut-disk.ts';
import { startVisitors, timeReturn, untilJoined } from './visitors.ts';

const TRIALS = isLong ? 5 : 1;
const VISITORS = 16;
const DISK_MEGABYTES = 384;
const FULL_MS = isLong ? 5_000 : 500;
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

test('a full disk of the embedded engine is logged once, and fails /readyz meanwhile', async () => {
  const disk = createDisk(DISK_MEGABYTES);
  const ballast = join(disk.folder, 'ballast');
  // Without checkpoints at every moment, whose log would need room before the tables do.
  const settings = { NODE_OPTIONS: process.env.NODE_OPTIONS ?? '' };
  const machine = await createMachine('embedded', disk.folder, { settings });
  const joinOnce = async () =>
    (await joinOverHttp(machine.url, `${randomUUID()}@example.com`, null)).status;
  const statusOf = async (path: string) => (await fetch(machine.url + path)).status;
  const isDatabaseUp = async () =>
    (await readMetrics(machine.url, machine.dataDir)).includes('\nwaitlist_database_up 1\n');
  const told = (line: string) => machine.output().split(line).length - 1;
  // How soon is asked above; here a busy machine may let single pings be late, which starts anew.
  const patiently = { timeout: 120_000, interval: 100 };
  try {
    await machine.startServer();
    expect(await joinOnce()).toBe(201);
    const filling = setInterval(() => fillDisk(ballast), 100);
    await expect.poll(joinOnce, { timeout: 60_000, interval: 0 }).toBe(503);
    expect(await joinOnce()).toBe(503);
    expect(await statusOf('/readyz')).toBe(503);
    expect(await isDatabaseUp()).toBe(false);
    expect(await statusOf('/')).toBe(200);
    expect(told('the disk of the database is full')).toBe(1);
    clearInterval(filling);

    rmSync(ballast);
    await expect.poll(() => statusOf('/readyz'), patiently).toBe(200);
    expect(await joinOnce()).toBe(201);
    await expect.poll(() => told('the database is back'), patiently).toBe(1);
    expect(told('the disk of the database is full')).toBe(1);
    expect(await isDatabaseUp()).toBe(true);
    await machine.stop();
  } finally {
    await machine.remove();
    disk.remove();
  }
});

test('a start on a full disk is refused in one sentence', async () => {
  const disk = createDisk(DISK_MEGABYTES);
  try {
    const { dataDir } = await createMachine('embedded', disk.folder);
    const empty = join(disk.folder, 'empty');
    mkdirSync(empty, { mode: 0o700 });
    fillDisk(join(disk.folder, 'ballast'));
    for (const DATA_DIR of [dataDir, empty]) {
      const { exitCode, output } = await runServerToItsEnd({ DATA_DIR });
      expect(exitCode).toBe(1);
      expect(output.trim().split('\n').at(-1)).toContain('disk is full');
      expect(output).not.toMatch(/^ +at /m);
    }
  } finally {
    disk.remove();
  }
});
