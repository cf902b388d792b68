/** How long each step of a drop takes on a long line, and how long joins beside it wait. */
import { setTimeout as pause } from 'node:timers/promises';
import type { OfferFigures } from '../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import { type Joins, startJoins } from '../operator/steady-joins.ts';
import { ask, change } from './operator-calls.ts';

export type StepFigures = {
  readonly step: string;
  /** Of the whole call: no lock is held for longer. */
  readonly seconds: number;
  readonly joins: Joins;
};

/** The most that can be frozen. */
const ENTRANTS = 10_000;
const FREEZES = 3;
export const JOINS_PER_SECOND = 50;
/** Joins go on before and after each step, to see its whole effect on them. */
const CALM_MS = 1_000;

/** Walks a new line through a drop, while others join. */
export async function measureSteps(url: string): Promise<StepFigures[]> {
  const figures: StepFigures[] = [];
  async function beside<T>(step: string, work: () => Promise<T>): Promise<T> {
    const tag = `step${figures.length}`;
    const joins = startJoins(url, { tag, perSecond: JOINS_PER_SECOND });
    await pause(CALM_MS);
    const beganAt = performance.now();
    const result = await work();
    const seconds = (performance.now() - beganAt) / 1000;
    await pause(CALM_MS);
    figures.push({ step, seconds, joins: await joins.stop() });
    console.log(`${step}: ${seconds.toFixed(2)} s`);
    return result;
  }
  const preview = (kind: string, input: object) =>
    ask(url, operatorPaths.previewChange, { kind, input });

  await beside('nothing', () => pause(CALM_MS));
  for (let freeze = 1; freeze <= FREEZES; freeze += 1) {
    await beside('preview of the freeze', () => preview('freeze-drop', { first: ENTRANTS }));
    await beside('freeze', () => change(url, 'freeze-drop', { first: ENTRANTS }));
    if (freeze < FREEZES) await beside('unfreeze', () => change(url, 'unfreeze-drop', {}));
  }
  const rule = { by_rank: 50, drawn_among: ENTRANTS, source: 'seed' };
  await beside('announce the draw', () => change(url, 'announce-draw', rule));
  await beside('preview of the draw', () => preview('select-entrants', {}));
  await beside('select', () => change(url, 'select-entrants', {}));
  await beside('/api/drop/1/draw, first call', () => readDraw(url));
  await beside('/api/drop/1/draw, later calls', () => readDraw(url));
  const terms = { minutes: 720, time_zone: 'UTC' };
  await beside('start offers', () => change(url, 'start-offers', terms));
  await beside('the first wave, within 15 s', () => untilOffered(url));
  await beside('tell everybody else', () => change(url, 'tell-others', {}));
  await beside('close', () => change(url, 'close-drop', {}));
  return figures;
}

async function readDraw(url: string): Promise<void> {
  const response = await fetch(url + apiPaths.draw(1));
  if (!response.ok) throw new Error(`The record was answered ${response.status}.`);
  await response.arrayBuffer();
}

async function untilOffered(url: string): Promise<void> {
  while ((await ask<OfferFigures>(url, operatorPaths.offers)).open === 0) await pause(100);
}
