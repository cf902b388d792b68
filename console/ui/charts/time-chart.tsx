import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type ChartSeries, chartOptions, readPalette } from './chart-options.ts';

const HEIGHT_PX = 200;

export type TimeChartProps = {
  /** Of the picture, for assistive technology: its gist in a sentence. */
  readonly label: string;
  /** Seconds since 1970, ascending: the beginning of each hour or day. */
  readonly times: readonly number[];
  /** One or two; each has as many values as there are times, null where there is none. */
  readonly series: readonly ChartSeries[];
  readonly kind: 'bars' | 'line';
  /** Of values with fractions; without it they are counts. */
  readonly format?: (value: number) => string;
  /** Index of the time under the pointer, or null when it leaves. */
  readonly onPoint?: (index: number | null) => void;
};

/** Values over time, in the time zone of the browser. */
export function TimeChart({ label, times, series, kind, format, onPoint }: TimeChartProps) {
  const holder = useRef<HTMLDivElement>(null);
  const point = useRef(onPoint);
  point.current = onPoint;

  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const plot = new UPlot(
      {
        ...chartOptions({ times, series, kind, palette: readPalette(element), format }),
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
  }, [times, series, kind, format]);

  return <div ref={holder} className="plot" role="img" aria-label={label} />;
}
