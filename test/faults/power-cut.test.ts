import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { openDatabase } from '../../server/db/open.ts';
import { exportMembers } from '../../server/waitlist/export-members.ts';
import { verifyLine } from '../../server/waitlist/verify-line.ts';
import { findGaps } from '../line/check-permutation.ts';
import { engines } from '../support/engines.ts';
import { recordFault } from './fault-record.ts';
import { startJoinLoad } from './join-load.ts';
import { createMachine, type Machine } from './machine.ts';
import { createDisk } from './power-cut-disk.ts';

const CUTS = process.env.FAULTS === 'full' ? 20 : 2;
const VISITORS = 16;
const DISK_MEGABYTES = 512;
/** Generous: the machine has other things to do. */
const READY_WITHIN_MS = 20_000;

describe.each(engines)('a machine with a waitlist on %s', (engine) => {
  test(`that loses its power ${CUTS} times under load keeps every acknowledged join and an exact line`, {
    timeout: CUTS * 60_000,
  }, async () => {
    const disk = createDisk(DISK_MEGABYTES);
    const machine = await createMachine(engine, disk.folder);
    disk.flush();
    const acknowledged = new Map<string, string>();
    const readyMs: number[] = [];
    try {
      await machine.start();
      for (let cut = 0; cut < CUTS; cut += 1) {
        const load = startJoinLoad([machine.url], VISITORS);
        while (load.acknowledged.length < VISITORS) await delay(10);
        await delay(Math.random() * 1_000);
        machine.freeze();
        disk.keepWhatReachedIt();
        await delay(100); // Answers that were on their way to visitors arrive.
        await machine.kill();
        await load.stop();
        for (const { id, email } of load.acknowledged) acknowledged.set(id, email);
        disk.losePower();

        const since = performance.now();
        await machine.start();
        readyMs.push(performance.now() - since);
        await machine.stop();
        expect(await inspect(machine, acknowledged), `after cut ${cut + 1}`).toEqual({
          lost: [],
          gaps: [],
          differences: [],
        });
        if (cut + 1 < CUTS) await machine.start();
      }
    } finally {
      await machine.kill();
      disk.remove();
      machine.remove();
    }
    recordFault({
      fault: `Power cut, ${engine}`,
      trials: CUTS,
      acknowledged: acknowledged.size,
      lost: 0,
      duplicated: 0,
      readyMs,
    });
    expect(Math.max(...readyMs)).toBeLessThan(READY_WITHIN_MS);
  });
});

/** What is wrong with the line, and who is missing from it. */
async function inspect(machine: Machine, acknowledged: ReadonlyMap<string, string>) {
  await machine.startDatabase();
  const database = await openDatabase({ ...machine.place, log: () => {} });
  try {
    const emails = new Map<string, string>();
    const positions: number[] = [];
    for await (const { id, email, position } of exportMembers(database, brand)) {
      emails.set(id, email);
      positions.push(position);
    }
    const { differences } = await verifyLine(database, brand);
    const lost = [...acknowledged].filter(([id, email]) => emails.get(id) !== email);
    return { lost, gaps: findGaps(positions), differences };
  } finally {
    await database.close();
    await machine.stopDatabase();
  }
}
