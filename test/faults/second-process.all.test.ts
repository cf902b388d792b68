import { cpSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMigratedPlace, type DatabasePlace } from '../support/engines.ts';
import { runServerToItsEnd, type ServerProcess, startServer } from '../support/server-process.ts';
import { isLong } from '../support/test-form.ts';
import { recordFault } from './fault-record.ts';
import { joinOverHttp, startJoinLoad, statusOverHttp } from './join-load.ts';

const TRIALS = isLong ? 20 : 1;
const VISITORS = 4;
/** Time limits are checked in the long form only, which runs on an idle machine. */
const REFUSED_WITHIN_MS = 5_000;

let place: DatabasePlace;
let first: ServerProcess;
beforeEach(async () => {
  place = await createMigratedPlace('embedded');
});
afterEach(async () => {
  await first.kill();
  await place.remove();
});

const TITLE = 'a second server is refused; a killed one leaves no lock, and a folder to copy';
test(`${TITLE} (trials: ${TRIALS})`, async () => {
  const settings = { DATA_DIR: place.dataDir, LIMITS: 'off' };
  const acknowledged = new Map<string, string>();
  const readyMs: number[] = [];
  for (let trial = 1; trial <= TRIALS; trial += 1) {
    const since = performance.now();
    first = await startServer(settings);
    readyMs.push(performance.now() - since);
    const load = startJoinLoad([first.url], VISITORS);
    const asked = performance.now();
    const { exitCode, output } = await runServerToItsEnd(settings);
    if (isLong) expect(performance.now() - asked, `trial ${trial}`).toBeLessThan(REFUSED_WITHIN_MS);
    expect({ exitCode, output }).toEqual({
      exitCode: 1,
      output:
        `The data folder ${place.dataDir} is in use by another running server: ` +
        'stop that one first.\n',
    });
    expect((await joinOverHttp(first.url, `after${trial}@example.com`, null)).status).toBe(201);
    await first.kill();
    await load.stop();
    for (const { id, email } of load.acknowledged) acknowledged.set(id, email);
  }

  const copyDir = `${place.dataDir} copy`;
  cpSync(place.dataDir, copyDir, { recursive: true });
  first = await startServer(settings);
  const copy = await startServer({ ...settings, DATA_DIR: copyDir });
  const lost: string[] = [];
  for (const { url } of [first, copy])
    for (const [id, email] of acknowledged)
      if ((await statusOverHttp(url, id))?.email !== email) lost.push(id);
  recordFault({
    fault: 'Second server on the data folder, refused; the first killed',
    trials: TRIALS,
    acknowledged: acknowledged.size,
    lost: lost.length,
    readyMs,
  });
  expect(lost).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(0);
  expect(await copy.stop()).toBe(0);
  rmSync(copyDir, { recursive: true });
});
