import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatCount } from './formats.ts';

type TimeChartProps = {
  readonly label: string;
  /** Seconds since 1970, ascending: the beginning of each hour or day. */
  readonly times: readonly number[];
  /** The last series is charged, and in front. */
  readonly series: readonly {
    readonly label: string;
    readonly values: readonly (number | null)[];
  }[];
  readonly format?: ((value: number) => string) | undefined;
  readonly onPoint?: (index: number | null) => void;
};

const HEIGHT_PX = 200;
const [MINUTE_S, HOUR_S, DAY_S] = [60, 3600, 86_400];

/** uPlot's form: step, label, then what a new year, month, day, hour, minute and second add. */
const TIME_LABELS: UPlot.Axis.Values = [
  [DAY_S * 365, '{YYYY}', null, null, null, null, null, null, 1],
  [DAY_S * 28, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [DAY_S, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [HOUR_S, '{HH}:00', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
  [MINUTE_S, '{HH}:{mm}', '\n{D} {MMM}', null, '\n{D} {MMM}', null, null, null, 1],
];

const VALUE_STEPS = [0, 1, 2, 3, 4, 5, 6].flatMap((power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
);

const BAR_WIDTH: [number, number] = [0.7, 28];
const [AXIS_PX, CHARACTER_PX] = [16, 7];

export function TimeChart({ label, times, series, format, onPoint }: TimeChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const point = useRef(onPoint);
  point.current = onPoint;

  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const plot = new UPlot(
      {
        ...chartOptions(element, { times, series, format }),
        width: element.clientWidth,
        height: HEIGHT_PX,
        hooks: { setCursor: [({ cursor }) => point.current?.(cursor.idx ?? null)] },
      },
      [[...times], ...series.map(({ values }) => [...values])],
      element,
    );
    const observer = new ResizeObserver(() => {
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [times, series, format]);

  return <div ref={holder} className="plot" role="img" aria-label={label} />;
}

function chartOptions(
  element: Element,
  { times, series, format }: Pick<TimeChartProps, 'times' | 'series' | 'format'>,
): Pick<UPlot.Options, 'series' | 'axes' | 'cursor' | 'legend' | 'scales' | 'padding'> {
  // A canvas has no custom properties.
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: token('--fog'),
    font: `11px ${token('--font-mono')}`,
    gap: 8,
    ticks: { show: false },
    border: { show: false },
  };
  // Bars are centred on their times, so the first and the last need space on both sides.
  const half = ((times[1] ?? 0) - (times[0] ?? 0)) / 2;
  const bars = UPlot.paths.bars?.({ size: BAR_WIDTH, radius: 0.12 });
  return {
    padding: [8, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    // An axis that begins above zero makes differences look larger than they are.
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
        grid: { stroke: token('--line'), width: 1 },
        ...(format === undefined && { incrs: VALUE_STEPS }),
        values: (_plot, values) => values.map(format ?? formatCount),
      },
    ],
    series: [
      {},
      ...series.map(({ label }, index) => ({
        label,
        points: { show: false },
        fill: token(index === series.length - 1 ? '--afterglow' : '--fog'),
        width: 0,
        ...(bars && { paths: bars }),
      })),
    ],
  };
}
