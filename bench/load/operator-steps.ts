import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { fill, type Place, startProduct, thisCheckout, verify } from '../checkout.ts';
import { orDash, short, table, whole } from '../report/markdown.ts';
import { type Operator, openOperator } from './operator.ts';
import { type Joins, startJoins } from './steady-joins.ts';

/** Joins go on before and after each step, so that its whole effect on them is measured. */
const CALM_MS = 1_000;
const PROBE_MS = 5;

export type StepFigures = {
  readonly step: string;
  readonly seconds: number;
  /** Longest wait for the line lock; null on the embedded engine, which has one connection. */
  readonly lockMs: number | null;
  readonly joins: Joins;
};

type Beside = (step: string, work: () => Promise<unknown>) => Promise<void>;

type Setting = {
  readonly place: Place;
  readonly members: number;
  readonly prepare?: () => Promise<void>;
  readonly joinsPerSecond?: number;
  readonly log: (line: string) => void;
};

export async function measureSteps(
  { place, members, prepare, joinsPerSecond: perSecond = 50, log }: Setting,
  takeSteps: (operator: Operator, beside: Beside) => Promise<void>,
): Promise<StepFigures[]> {
  const { dataDir, databaseUrl } = place;
  await fill(thisCheckout, place, members);
  await prepare?.();
  const settings = { LIMITS: 'off', MAIL_RATE: '0.1' };
  const { port, stop } = await startProduct(thisCheckout, place, settings);
  const figures: StepFigures[] = [];
  await takeSteps(openOperator(dataDir), async (step, work) => {
    const joins = startJoins(port, { tag: `step${figures.length}`, perSecond });
    const probe = databaseUrl === null ? null : await probeLock(databaseUrl);
    await pause(CALM_MS);
    const beganAt = performance.now();
    await work();
    const seconds = (performance.now() - beganAt) / 1000;
    await pause(CALM_MS);
    const lockMs = (await probe?.stop()) ?? null;
    const figure = { step, seconds, lockMs, joins: await joins.stop() };
    figures.push(figure);
    const waits = [orDash(lockMs, whole), whole(figure.joins.longestMs)];
    log(`${step}: ${seconds.toFixed(2)} s; longest lock and join, in ms: ${waits.join(', ')}`);
  });
  await stop();
  await verify(thisCheckout, place);
  return figures;
}

async function probeLock(connectionString: string): Promise<{ stop(): Promise<number> }> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  let isOver = false;
  let longestMs = 0;
  const running = (async () => {
    while (!isOver) {
      const askedAt = performance.now();
      await client.query('select from line_state for update');
      longestMs = Math.max(longestMs, performance.now() - askedAt);
      await pause(PROBE_MS);
    }
    await client.end();
  })();
  return {
    async stop() {
      isOver = true;
      await running;
      return longestMs;
    },
  };
}

export function stepTable(steps: readonly StepFigures[]): string {
  const rows = [...new Set(steps.map(({ step }) => step))].map((step) => {
    const runs = steps.filter((one) => one.step === step);
    const joins = (field: 'answered' | 'refused') =>
      whole(runs.reduce((sum, run) => sum + run.joins[field], 0));
    const locks = runs.flatMap(({ lockMs }) => lockMs ?? []);
    return [
      step,
      short(Math.max(...runs.map(({ seconds }) => seconds))),
      locks.length === 0 ? '–' : whole(Math.max(...locks)),
      joins('answered'),
      joins('refused'),
      whole(Math.max(...runs.map((run) => run.joins.longestMs))),
    ];
  });
  const head = ['step', 'slowest s', 'longest lock ms', 'joins', 'refused', 'longest join ms'];
  return table(head, rows);
}
