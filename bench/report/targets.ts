/** What the figures are held against. Pure. */
import type { GrowthFigures } from '../parts/growth.ts';
import type { Operation } from '../parts/operations.ts';
import { TARGET_IN_FLIGHT } from '../parts/part.ts';
import type { SpeedFigures } from '../parts/speed.ts';
import type { PartRecords } from './part-records.ts';

export type Target = {
  readonly what: string;
  readonly atLeast: number;
  readonly measured: number;
  /** What `measured` is made of, or null for a figure that stands by itself. */
  readonly of: readonly [number, number] | null;
};

/** Of the parts that were run. */
export function judge({ postgres, embedded, growth }: PartRecords): Target[] {
  return [
    ...(postgres === null ? [] : postgresTargets(postgres.figures)),
    ...(growth === null ? [] : growthTargets(growth.figures)),
    ...(embedded === null ? [] : embeddedTargets(embedded.figures)),
  ];
}

export function isMet({ atLeast, measured }: Target): boolean {
  return measured >= atLeast;
}

function postgresTargets(figures: SpeedFigures): Target[] {
  const of = rateOf(figures);
  const at = `PostgreSQL, ${figures.members.toLocaleString('en')} members`;
  return [
    ratio(`${at}: join beside the bare INSERT route`, 1, of('join'), of('bare INSERT route')),
    ratio(`${at}: status read beside the bare SELECT route`, 1, of('status read'), of('bare SELECT route')),
    ratio(`${at}: stats beside half of the constant route`, 0.8, of('stats'), of('constant route') / 2),
    ratio(
      `${at}: verify-referral beside half of the constant route`,
      0.8,
      of('verify-referral'),
      of('constant route') / 2,
    ),
    ratio(`${at}: one hot inviter beside the mixed joins`, 0.7, of('join, one hot inviter'), of('join')),
  ];
}

function growthTargets({ sizes }: GrowthFigures): Target[] {
  const [smallest, largest] = [sizes[0], sizes.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) return [];
  const at = `${largest.members.toLocaleString('en')} members beside ${smallest.members.toLocaleString('en')}`;
  return [
    ratio(`PostgreSQL, ${at}: join`, 0.8, largest.join.perSecond, smallest.join.perSecond),
    ratio(`PostgreSQL, ${at}: status read`, 0.8, largest.statusRead.perSecond, smallest.statusRead.perSecond),
  ];
}

function embeddedTargets(figures: SpeedFigures): Target[] {
  const of = rateOf(figures);
  const at = `Embedded, ${figures.members.toLocaleString('en')} members`;
  return [
    { what: `${at}: durable joins a second`, atLeast: 1_500, measured: of('join'), of: null },
    { what: `${at}: status reads a second`, atLeast: 3_000, measured: of('status read'), of: null },
    ratio(`${at}: join beside the bare INSERT route`, 1, of('join'), of('bare INSERT route')),
    ratio(`${at}: status read beside the bare SELECT route`, 1, of('status read'), of('bare SELECT route')),
    ratio(`${at}: one hot inviter beside the mixed joins`, 0.7, of('join, one hot inviter'), of('join')),
  ];
}

function ratio(what: string, atLeast: number, measured: number, floor: number): Target {
  return { what, atLeast, measured: measured / floor, of: [measured, floor] };
}

function rateOf({ cells }: SpeedFigures): (operation: Operation) => number {
  return (operation) =>
    cells.find((cell) => cell.operation === operation && cell.inFlight === TARGET_IN_FLIGHT)?.perSecond ?? Number.NaN;
}
