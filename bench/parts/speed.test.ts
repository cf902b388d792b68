import { expect, test } from 'vitest';
import { isMet } from '../report/report.ts';
import { cellTable, type Operation, type SpeedFigures, targetsOf } from './speed.ts';

const rates: Readonly<Record<Operation, number>> = {
  'constant route': 1_000,
  'bare SELECT route': 400,
  'bare INSERT route': 200,
  'status read': 399,
  join: 200,
  'join, one hot inviter': 139,
  stats: 400,
  'verify-referral': 500,
};
const unknown = {
  p50Ms: 0,
  p99Ms: 0,
  serverUs: null,
  databaseUs: null,
  clientUs: 0,
};

/** `by` measures what is not a baseline. */
function cellsOf(by: string): SpeedFigures['cells'] {
  return Object.entries(rates).map(([operation, perSecond]) => ({
    ...unknown,
    by: /route$/.test(operation) ? 'baseline' : by,
    operation: operation as Operation,
    perSecond,
  }));
}

const figures: SpeedFigures = {
  members: 1_000_000,
  checkouts: ['this'],
  cells: cellsOf('this'),
};

test('targets are ratios, met when at least reached', () => {
  const targets = targetsOf('postgres', figures);
  const verdicts = targets.map((target) => [target.measured, isMet(target)]);
  expect(verdicts).toEqual([
    [1, true],
    [399 / 400, false],
    [139 / 200, false],
    [0.4, true],
    [0.5, true],
  ]);
});

test('the embedded engine is held to rates of its own', () => {
  const own = targetsOf('embedded', figures).slice(0, 2);
  expect(own.map(({ measured }) => measured)).toEqual([200, 399]);
  expect(own.some(isMet)).toBe(false);
});

test('a second checkout stands beside this one, and decides no target', () => {
  const other = cellsOf('abc1234').map((cell) => ({ ...cell, perSecond: cell.perSecond / 2 }));
  const cells = [...other.filter(({ by }) => by === 'abc1234'), ...figures.cells];
  const both = { ...figures, checkouts: ['this', 'abc1234'], cells };
  expect(targetsOf('postgres', both)).toEqual(targetsOf('postgres', figures));
  expect(cellTable(both)).toMatch(/\| join \| 200 \|.*\| 100 \| 2\.00 \|/);
});
