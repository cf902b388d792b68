import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { drawFromSeed } from '../support/draw-from-seed.ts';
import { defaultEngine, type Engine } from '../support/engines.ts';
import { isLong } from '../support/test-form.ts';
import { concludeVisits } from './conclude-trials.ts';
import { openHistory } from './history.ts';
import { createMachine, type Machine, untilReady } from './machine.ts';
import { startVisitors, untilJoined } from './visitors.ts';

const SERVER_KILLS = isLong ? 50 : 1;
const DATABASE_KILLS = 20;
const VISITORS = 16;
/** Generous, because the machine may be busy. */
const READY_WITHIN_MS = 20_000;

let folder: string;
let machine: Machine;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-kill-'));
  chmodSync(folder, 0o755);
});
afterEach(async () => {
  await machine.remove();
  rmSync(folder, { recursive: true });
});

type Trials = { readonly fault: string; readonly engine: Engine; readonly kills: number };

/** Kills under visitors who keep retrying, and checks the line against every answer they got. */
async function killUnderLoad(
  { fault, engine, kills }: Trials,
  kill: () => Promise<void>,
): Promise<void> {
  const random = drawFromSeed();
  machine = await createMachine(engine, folder);
  await machine.startDatabase();
  await machine.startServer();
  const history = openHistory();
  const visitors = startVisitors(machine.url, VISITORS, history);
  const readyMs: number[] = [];
  for (let trial = 0; trial < kills; trial += 1) {
    await untilJoined(history, VISITORS);
    await delay(random.between(0, 400));
    const since = performance.now();
    await kill();
    await untilReady(machine.url);
    readyMs.push(performance.now() - since);
  }
  await concludeVisits({
    machine,
    visitors,
    history,
    fault: `${fault}, ${engine}`,
    readyMs,
    readyWithinMs: READY_WITHIN_MS,
  });
}

test.each(defaultEngine)(
  `a server on %s that is killed under load contradicts no answer (kills: ${SERVER_KILLS})`,
  async (engine) => {
    await killUnderLoad({ fault: 'Server killed', engine, kills: SERVER_KILLS }, async () => {
      await machine.killServer();
      await machine.startServer();
    });
  },
);

describe('PostgreSQL', () => {
  test.runIf(isLong)(
    `killed under load, loses and repeats no join (kills: ${DATABASE_KILLS})`,
    async () => {
      await killUnderLoad(
        { fault: 'Database killed', engine: 'postgres', kills: DATABASE_KILLS },
        async () => {
          await machine.killDatabase();
          await machine.startDatabase();
        },
      );
    },
  );
});
