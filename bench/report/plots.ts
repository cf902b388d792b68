/** Which figures are drawn. Pure. */
import type { GrowthFigures, SizeFigures } from '../parts/growth.ts';
import type { Operation } from '../parts/operations.ts';
import type { Cell, SpeedFigures } from '../parts/speed.ts';
import type { Plot, Series } from './plot.ts';

const DRAWN: readonly (readonly [operation: Operation, name: string, isFloor: boolean])[] = [
  ['status read', 'status read', false],
  ['join', 'join', false],
  ['bare SELECT route', 'bare SELECT route', true],
  ['bare INSERT route', 'bare INSERT route', true],
];

/** Throughput and latency against requests in flight. */
export function speedPlots(name: string, engine: string, figures: SpeedFigures): Record<string, Plot> {
  const members = figures.members.toLocaleString('en');
  const series = (read: (cell: Cell) => number): Series[] =>
    DRAWN.map(([operation, label, isFloor]) => ({
      name: label,
      isFloor,
      points: figures.cells
        .filter((cell) => cell.operation === operation)
        .map((cell) => ({ x: cell.inFlight, y: read(cell) })),
    }));
  const titled = (what: string, yLabel: string, read: (cell: Cell) => number): Plot => ({
    title: `${engine}, ${members} members: ${what}`,
    xLabel: 'requests in flight',
    yLabel,
    series: series(read),
  });
  return {
    [`${name}-throughput`]: titled('throughput', 'answers a second', ({ perSecond }) => perSecond),
    [`${name}-p99`]: titled('99th percentile', 'milliseconds', ({ p99Ms }) => p99Ms),
  };
}

/** Throughput and latency against members. */
export function growthPlots({ sizes, select, insert, inFlight }: GrowthFigures): Record<string, Plot> {
  const product = (name: string, read: (size: SizeFigures) => number): Series => ({
    name,
    isFloor: false,
    points: sizes.map((size) => ({ x: size.members, y: read(size) })),
  });
  // Of one size: a line across, for comparison.
  const floor = (name: string, y: number): Series => ({
    name,
    isFloor: true,
    points: sizes.map(({ members }) => ({ x: members, y })),
  });
  const titled = (what: string, yLabel: string, of: 'perSecond' | 'p99Ms'): Plot => ({
    title: `PostgreSQL, ${inFlight} in flight: ${what}`,
    xLabel: 'members',
    yLabel,
    series: [
      product('status read', ({ statusRead }) => statusRead[of]),
      product('join', ({ join }) => join[of]),
      floor('bare SELECT route', select[of]),
      floor('bare INSERT route', insert[of]),
    ],
  });
  return {
    'members-throughput': titled('throughput', 'answers a second', 'perSecond'),
    'members-p99': titled('99th percentile', 'milliseconds', 'p99Ms'),
  };
}
