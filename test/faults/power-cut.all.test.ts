import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Member } from '../../contract/schemas.ts';
import { findGaps } from '../line/check-permutation.ts';
import { drawFromSeed } from '../support/draw-from-seed.ts';
import { defaultEngine } from '../support/engines.ts';
import { isLong } from '../support/test-form.ts';
import { recordFault } from './fault-record.ts';
import { startJoinLoad } from './join-load.ts';
import { createMachine } from './machine.ts';
import { createDisk } from './power-cut-disk.ts';

const CUTS = isLong ? 20 : 1;
const VISITORS = isLong ? 64 : 16;
/** Acknowledged before each cut: at least 20,000 in the long form. */
const JOINS = isLong ? 520 : VISITORS;
const DISK_MEGABYTES = 512;
/** Generous, because the machine may be busy. */
const READY_WITHIN_MS = 20_000;

/** The answers of a frozen server are in our sockets: each turn of the event loop reads them. */
async function readWhatHasArrived(): Promise<void> {
  for (let round = 0; round < 50; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(defaultEngine)('a machine with a waitlist on %s', (engine) => {
  test(`keeps every acknowledged join and an exact line over ${CUTS} power cuts`, async () => {
    const random = drawFromSeed();
    const disk = createDisk(DISK_MEGABYTES);
    const machine = await createMachine(engine, disk.folder);
    disk.flush();
    const acknowledged: (Member & { cut: number })[] = [];
    const readyMs: number[] = [];
    const start = async () => {
      await machine.startDatabase();
      await machine.startServer();
    };
    try {
      await start();
      for (let cut = 1; cut <= CUTS; cut += 1) {
        const load = startJoinLoad([machine.url], VISITORS);
        while (load.acknowledged.length < JOINS) await delay(10);
        await delay(random.between(0, 1_000));
        machine.freeze();
        disk.keepWhatReachedIt();
        await readWhatHasArrived();
        await machine.killServer();
        await machine.killDatabase();
        await load.stop();
        for (const member of load.acknowledged) acknowledged.push({ ...member, cut });
        disk.losePower();

        const since = performance.now();
        await start();
        readyMs.push(performance.now() - since);
      }
      await machine.stop();
      // Losses are permanent, so one check at the end sees them all.
      const { line, differences } = await machine.readLine();
      const emails = new Map(line.map(({ id, email }) => [id, email]));
      const lost = acknowledged.filter(({ id, email }) => emails.get(id) !== email);
      const duplicated = line.length - new Set(emails.values()).size;
      recordFault({
        fault: `Power cut, ${engine}`,
        trials: CUTS,
        acknowledged: acknowledged.length,
        lost: lost.length,
        duplicated,
        readyMs,
      });
      expect({
        lost: lost.map(({ id, cut }) => `${id} of cut ${cut}`),
        duplicated,
        differences,
      }).toEqual({
        lost: [],
        duplicated: 0,
        differences: [],
      });
      expect(findGaps(line.map(({ position }) => position))).toEqual([]);
    } finally {
      await machine.remove();
      disk.remove();
    }
    if (isLong) expect(Math.max(...readyMs)).toBeLessThan(READY_WITHIN_MS);
  });
});
