/** Plots as SVG, by Vega-Lite. The same figures give the same bytes. Pure. */
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

/** Throughput and the 99th percentile of several series, side by side. */
export type Lines = {
  readonly title: string;
  /** Title of the axis. */
  readonly x: string;
  readonly points: readonly {
    readonly series: string;
    /** Drawn dashed. */
    readonly isBaseline: boolean;
    readonly x: number;
    readonly perSecond: number;
    readonly p99Ms: number;
  }[];
};

export async function drawLines({ title, x, points }: Lines): Promise<string> {
  const panel = (field: 'perSecond' | 'p99Ms', yTitle: string) => ({
    width: 320,
    height: 260,
    mark: { type: 'line' as const, point: true },
    encoding: {
      x: axis('x', x, { values: [...new Set(points.map((point) => point.x))] }),
      y: axis(field, yTitle, {}),
      color: { field: 'series', type: 'nominal' as const, title: null, sort: null },
      strokeDash: { field: 'isBaseline', type: 'nominal' as const, legend: null },
    },
  });
  const spec: TopLevelSpec = {
    title: { text: title, subtitle: 'dashed: baselines', anchor: 'start' },
    background: 'white',
    data: { values: points.map((point) => ({ ...point })) },
    hconcat: [panel('perSecond', 'answers a second'), panel('p99Ms', '99th percentile, ms')],
  };
  return `${await new View(parse(compile(spec).spec), { renderer: 'none' }).toSVG()}\n`;
}

/** Logarithmic: what doubles is equally far apart everywhere. */
function axis(field: string, title: string, { values }: { values?: number[] }) {
  return {
    field,
    type: 'quantitative' as const,
    scale: { type: 'log' as const, nice: values === undefined },
    axis: { title, format: field === 'p99Ms' ? '~g' : '~s', ...(values && { values }) },
  };
}
