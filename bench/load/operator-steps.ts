import { setTimeout as pause } from 'node:timers/promises';
import { fill, type Place, startProduct, thisCheckout, verify } from '../checkout.ts';
import { short, table, whole } from '../report/markdown.ts';
import { openConnection } from './connection.ts';
import { type Operator, openOperator } from './operator.ts';
import { joinText } from './requests.ts';

/** Joins go on before and after each step, so that its whole effect on them is measured. */
const CALM_MS = 1_000;
const JOINS_PER_SECOND = 50;

type StepFigures = {
  readonly step: string;
  readonly seconds: number;
  readonly joins: Awaited<ReturnType<ReturnType<typeof startJoins>['stop']>>;
};

export type Beside = (step: string, work: () => Promise<unknown>) => Promise<void>;

type Setting = {
  readonly place: Place;
  readonly members: number;
  readonly log: (line: string) => void;
};

export async function measureSteps(
  { place, members, log }: Setting,
  takeSteps: (operator: Operator, beside: Beside) => Promise<void>,
): Promise<StepFigures[]> {
  await fill(thisCheckout, place, members);
  const settings = { LIMITS: 'off', MAIL_RATE: '0.1' };
  const { port, stop } = await startProduct(thisCheckout, place, settings);
  const figures: StepFigures[] = [];
  await takeSteps(openOperator(place.dataDir), async (step, work) => {
    const running = startJoins(port, `step${figures.length}`);
    await pause(CALM_MS);
    const beganAt = performance.now();
    await work();
    const seconds = (performance.now() - beganAt) / 1000;
    await pause(CALM_MS);
    const joins = await running.stop();
    figures.push({ step, seconds, joins });
    log(`${step}: ${seconds.toFixed(2)} s; the longest join took ${whole(joins.longestMs)} ms`);
  });
  await stop();
  await verify(thisCheckout, place);
  return figures;
}

/** Each join is sent on schedule, whether or not earlier ones were answered. */
function startJoins(port: number, tag: string) {
  const open = new Set<Promise<void>>();
  const timesMs: number[] = [];
  let refused = 0;
  let count = 0;
  async function joinOnce(): Promise<void> {
    const sentAt = performance.now();
    count += 1;
    const name = `${tag}-${count}`;
    const connection = openConnection(port);
    const text = joinText({ email: `${name}@joins.example`, code: null, key: name });
    const status = await connection.send(text).then(
      (answer) => answer.status,
      () => 0,
    );
    connection.close();
    if (status !== 201) refused += 1;
    timesMs.push(performance.now() - sentAt);
  }
  const timer = setInterval(() => {
    const one = joinOnce().finally(() => open.delete(one));
    open.add(one);
  }, 1000 / JOINS_PER_SECOND);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return { answered: timesMs.length - refused, refused, longestMs: Math.max(...timesMs) };
    },
  };
}

export function stepTable(steps: readonly StepFigures[]): string {
  const rows = [...new Set(steps.map(({ step }) => step))].map((step) => {
    const runs = steps.filter((one) => one.step === step);
    const joins = (field: 'answered' | 'refused') =>
      whole(runs.reduce((sum, run) => sum + run.joins[field], 0));
    return [
      step,
      short(Math.max(...runs.map(({ seconds }) => seconds))),
      joins('answered'),
      joins('refused'),
      whole(Math.max(...runs.map((run) => run.joins.longestMs))),
    ];
  });
  return table(['step', 'slowest s', 'joins', 'refused', 'longest join ms'], rows);
}
