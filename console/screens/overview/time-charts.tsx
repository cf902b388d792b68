import { useMemo, useState } from 'react';
import type { Overview } from '../../../contract/operator/overview.ts';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import { formatAmount, formatCount } from '../../ui/numbers.ts';
import { TimeChart } from '../../ui/time-chart.tsx';
import { nameBucket } from './overview-words.ts';

type Counts = Overview['buckets'][number];

type Chart = {
  readonly title: string;
  readonly define: (per: string) => string;
  /** The plain series first, and the charged one in front of it. */
  readonly series: Readonly<Record<string, (counts: Counts) => number | null>>;
  readonly columns?: Readonly<Record<string, (counts: Counts) => number>>;
  readonly format?: (value: number) => string;
  readonly describe: (counts: Counts) => string;
};

const formatFactor = (factor: number) => factor.toFixed(2);

const CHARTS: readonly Chart[] = [
  {
    title: 'Joins',
    define: (per) =>
      `Members who joined in each ${per}, also those who left later. Bright: brought by members.`,
    series: { Joins: ({ joins }) => joins, 'Brought by members': ({ invited }) => invited },
    describe: ({ joins, invited }) =>
      `${formatAmount(joins, 'join')}, ${formatCount(invited)} brought by members`,
  },
  {
    title: 'Visits',
    define: (per) =>
      `Page loads by people's browsers in each ${per}; no bots that say so. Bright: invite pages.`,
    series: {
      Visits: ({ visits }) => visits,
      'Of invite pages': ({ invite_visits }) => invite_visits,
    },
    describe: ({ visits, invite_visits }) =>
      `${formatAmount(visits, 'visit')}, ${formatCount(invite_visits)} of invite pages`,
  },
  {
    title: 'K-factor',
    define: (per) =>
      `Friends brought so far by the members of each ${per}, divided by these members. ` +
      'Above 1, the line grows by itself.',
    series: { 'K-factor': ({ k_factor }) => k_factor },
    columns: { Friends: ({ friends }) => friends, Joins: ({ joins }) => joins },
    format: formatFactor,
    describe: ({ k_factor, friends, joins }) =>
      k_factor === null
        ? 'No joins'
        : `${formatFactor(k_factor)}: ${formatAmount(friends, 'friend')} of ` +
          formatAmount(joins, 'join'),
  },
];

type TimeChartsProps = { readonly overview: Overview; readonly bucket: 'hour' | 'day' };

export function TimeCharts({ overview: { buckets }, bucket }: TimeChartsProps) {
  return CHARTS.map((chart) => (
    <CountChart key={chart.title} chart={chart} buckets={buckets} bucket={bucket} />
  ));
}

type CountChartProps = {
  readonly chart: Chart;
  readonly buckets: readonly Counts[];
  readonly bucket: 'hour' | 'day';
};

function CountChart({ chart, buckets, bucket }: CountChartProps) {
  const { title, define, columns = {}, format, describe } = chart;
  const [point, setPoint] = useState<number | null>(null);
  const times = useMemo(
    () => buckets.map(({ starts_at }) => Date.parse(starts_at) / 1000),
    [buckets],
  );
  const series = useMemo(
    () =>
      Object.entries(chart.series).map(([label, read]) => ({
        label,
        values: buckets.map(read),
      })),
    [buckets, chart],
  );
  const names = buckets.map(({ starts_at }) => nameBucket(starts_at, bucket));
  const shown = Math.min(point ?? buckets.length - 1, buckets.length - 1);
  const counts = buckets[shown];
  const write = (value: number | null) => (value === null ? '—' : (format ?? formatCount)(value));
  return (
    <ChartFrame
      title={title}
      definition={define(bucket)}
      readout={counts && `${names[shown]} · ${describe(counts)}`}
      chart={
        <TimeChart
          label={`${title}, ${names[0]} to ${names.at(-1)}`}
          times={times}
          series={series}
          format={format}
          onPoint={setPoint}
        />
      }
      headers={[
        bucket === 'hour' ? 'Hour' : 'Day',
        ...Object.keys(chart.series),
        ...Object.keys(columns),
      ]}
      rows={buckets.map((each, index) => [
        names[index] ?? '',
        ...Object.values(chart.series).map((read) => write(read(each))),
        ...Object.values(columns).map((read) => formatCount(read(each))),
      ])}
    />
  );
}
