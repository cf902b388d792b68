/** A server is killed at each statement of each step of a drop: the step happened, or did not. */

import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultEngine } from '../../support/engines.ts';
import { provideFolder } from '../../support/provide-folder.ts';
import { freePort } from '../../support/server-process.ts';
import { isLong } from '../../support/test-form.ts';
import { recordFault } from '../fault-record.ts';
import { createMachine, type Machine } from '../machine.ts';
import type { Death } from './die-at.ts';
import {
  DROP_STEPS,
  type DropNow,
  type DropStep,
  prepareDrop,
  readDrop,
  SECRETS,
} from './drop-steps.ts';

/** A URL: the path of the checkout may have spaces. */
const PRELOADED = new URL('die-at.ts', import.meta.url).href;
/** In the short form, one death in the middle of the steps that write most. */
const SHORT_DEATHS: Readonly<Record<string, number>> = { 'freeze-drop': 4, sweep: 6 };

const pathOf = provideFolder();
let machine: Machine;
beforeEach(() => chmodSync(pathOf(), 0o755));
afterEach(() => machine.remove());

test.each(defaultEngine)('every step of a drop on %s survives a kill', async (engine) => {
  const port = await freePort();
  machine = await createMachine(engine, pathOf(), {
    settings: { ...SECRETS, NODE_OPTIONS: `--import=${PRELOADED}`, DIE_AT_PORT: String(port) },
  });
  await machine.startDatabase();
  await machine.startServer();
  await prepareDrop(machine.url);
  const readyMs: number[] = [];
  let acknowledged = 0;
  for (const step of DROP_STEPS) {
    const deaths = isLong ? Number.POSITIVE_INFINITY : (SHORT_DEATHS[step.name] ?? 0);
    const before = await readDrop(machine.url);
    let isDone = false;
    for (let at = isLong ? 1 : deaths; at <= deaths && at > 0 && !isDone; at += 1) {
      await orderDeath(port, step, at);
      const wasAcknowledged = await step.run(machine.url).then(
        () => true,
        () => false,
      );
      if (wasAcknowledged) acknowledged += 1;
      const since = performance.now();
      if (await reviveIfDead(port, step)) readyMs.push(performance.now() - since);
      isDone = await expectWhole(step, { before, wasAcknowledged });
    }
    if (!isDone) {
      await orderDeath(port, step, 0);
      await step.run(machine.url);
      acknowledged += 1;
      expect(await expectWhole(step, { before, wasAcknowledged: true })).toBe(true);
    }
    // Before anybody accepts: a mail about an accepted offer is not sent any more.
    if (step.name === 'sweep') await expectMails();
  }
  expect(readyMs.length).toBeGreaterThanOrEqual(Object.keys(SHORT_DEATHS).length);
  recordFault({
    fault: `Server killed at each statement of each step of a drop, ${engine}`,
    trials: readyMs.length,
    acknowledged,
    lost: 0,
    duplicated: 0,
    readyMs,
  });
});

/** A step with fewer statements than ordered is outlived. */
async function reviveIfDead(port: number, step: DropStep): Promise<boolean> {
  for (;;) {
    const isAlive = await orderDeath(port, step, 0).then(
      () => true,
      () => false,
    );
    if (isAlive) return false;
    // The process is there until its end has been noticed.
    if ((await machine.revive()).length > 0) return true;
    await delay(10);
  }
}

/** Whether the step has happened. Throws when it did so by half. */
async function expectWhole(
  step: DropStep,
  { before, wasAcknowledged }: { before: DropNow; wasAcknowledged: boolean },
): Promise<boolean> {
  const now = await readDrop(machine.url);
  const changes = [...before.changes, ...(step.action === null ? [] : [step.action])];
  const after = { ...before, ...step.makes, changes };
  if (wasAcknowledged) expect(now).toEqual(after);
  else expect([before, after]).toContainEqual(now);
  return JSON.stringify(now) === JSON.stringify(after);
}

/** Each of the three members with an offer has its mail, once, or more than once as one mail. */
async function expectMails(): Promise<void> {
  const readLinks = () => {
    const mails = readdirSync(join(machine.dataDir, 'mail'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(machine.dataDir, 'mail', name), 'utf8'));
    const offers = mails.filter((mail) => mail.replaceAll('=\r\n', '').includes('#offer='));
    return offers.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1]);
  };
  // Mails that a dead server held are due again half a minute later.
  await expect.poll(() => new Set(readLinks()).size, { timeout: 120_000 }).toBe(3);
  expect(readLinks()).toHaveLength(3);
}

async function orderDeath(port: number, { name, from }: DropStep, at: number): Promise<void> {
  const death: Death = { from, at, sweeps: name === 'sweep' };
  await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: JSON.stringify(death) });
}
