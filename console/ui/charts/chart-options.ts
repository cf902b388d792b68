/** The look of all charts: hairlines, one charged series, no legend. */
import UPlot from 'uplot';
import { formatCount } from '../text/numbers.ts';

export type ChartSeries = {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** Charged: the one that matters. */
  readonly tone: 'charged' | 'plain';
};

export type Palette = {
  readonly charged: string;
  readonly plain: string;
  readonly text: string;
  readonly line: string;
  /** For the labels of the axes, as CSS `font`. */
  readonly font: string;
};

const [MINUTE_S, HOUR_S, DAY_S] = [60, 3600, 86_400];

/**
 * Labels by distance of the ticks, in uPlot's form: step, label, then what a new year, month, day,
 * hour, minute and second add, and how. 24 hours, as in all other times.
 */
const TIME_LABELS: UPlot.Axis.Values = [
  [DAY_S * 365, '{YYYY}', null, null, null, null, null, null, 1],
  [DAY_S * 28, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [DAY_S, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [HOUR_S, '{HH}:00', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
  [MINUTE_S, '{HH}:{mm}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
];

/** For the axis of values: there is no half member or mail. */
const VALUE_STEPS = [0, 1, 2, 3, 4, 5, 6].flatMap((power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
);

const BAR_WIDTH = 0.7;
const MAX_BAR_PX = 28;
const BAR_RADIUS = 0.12;
/** Of the axis of values: its gap, and each character of its labels. */
const [AXIS_PX, CHARACTER_PX] = [16, 7];
const LINE_PX = 1.5;

/** A canvas knows no custom properties. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    charged: token('--afterglow'),
    plain: token('--fog'),
    text: token('--fog'),
    line: token('--line'),
    font: `11px ${token('--font-mono')}`,
  };
}

export function chartOptions({
  times,
  series,
  kind,
  palette,
  format,
}: {
  times: readonly number[];
  series: readonly ChartSeries[];
  kind: 'bars' | 'line';
  palette: Palette;
  /** Of values with fractions; without it they are counts. */
  format?: ((value: number) => string) | undefined;
}): Pick<UPlot.Options, 'series' | 'axes' | 'cursor' | 'legend' | 'scales' | 'padding'> {
  const axis = {
    stroke: palette.text,
    font: palette.font,
    gap: 8,
    ticks: { show: false },
    border: { show: false },
  };
  // Bars are centred on their times: the first and the last need room, too.
  const half = kind === 'bars' ? ((times[1] ?? 0) - (times[0] ?? 0)) / 2 : 0;
  const bars = UPlot.paths.bars?.({ size: [BAR_WIDTH, MAX_BAR_PX], radius: BAR_RADIUS });
  return {
    padding: [8, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: kind === 'line' } },
    // From zero, or differences look larger than they are.
    scales: {
      x: { range: (_plot, min, max) => [min - half, max + half] },
      y: { range: (_plot, _min, max) => [0, Math.max(max * 1.05, 1)] },
    },
    axes: [
      { ...axis, grid: { show: false }, space: 72, values: TIME_LABELS },
      {
        ...axis,
        size: (_plot, labels) =>
          AXIS_PX + CHARACTER_PX * Math.max(2, ...(labels ?? []).map(({ length }) => length)),
        grid: { stroke: palette.line, width: 1 },
        ...(format === undefined && { incrs: VALUE_STEPS }),
        values: (_plot, values) => values.map(format ?? formatCount),
      },
    ],
    series: [
      {},
      ...series.map(({ label, tone }) => ({
        label,
        stroke: palette[tone],
        points: { show: false },
        ...(kind === 'bars' && bars
          ? { fill: palette[tone], width: 0, paths: bars }
          : { width: LINE_PX }),
      })),
    ],
  };
}
