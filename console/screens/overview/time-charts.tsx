import { useMemo, useState } from 'react';
import type { Overview } from '../../../contract/operator/overview.ts';
import { ChartFrame } from '../../ui/charts/chart-frame.tsx';
import type { ChartSeries } from '../../ui/charts/chart-options.ts';
import { TimeChart } from '../../ui/charts/time-chart.tsx';
import { formatAmount, formatCount } from '../../ui/text/numbers.ts';
import { nameBucket } from './overview-words.ts';

type TimeChartsProps = { readonly overview: Overview; readonly bucket: 'hour' | 'day' };
type Counts = Overview['buckets'][number];

/** Joins, visits and the K-factor, by hour or day. */
export function TimeCharts({ overview, bucket }: TimeChartsProps) {
  const { buckets } = overview;
  const step = bucket === 'hour' ? 'Hour' : 'Day';
  const per = step.toLowerCase();
  const names = buckets.map(({ starts_at }) => nameBucket(starts_at, bucket));
  return (
    <>
      <CountChart
        title="Joins"
        definition={
          `Members who joined in each ${per}, also those who left later. ` +
          'Bright: brought by members.'
        }
        buckets={buckets}
        names={names}
        headers={[step, 'Joins', 'Brought by members']}
        values={VALUES.joins}
        tell={({ joins, invited }) =>
          `${formatAmount(joins, 'join')}, ${formatCount(invited)} brought by members`
        }
      />
      <CountChart
        title="Visits"
        definition={
          `Page loads by people's browsers in each ${per}; no bots that say so. ` +
          'Bright: invite pages.'
        }
        buckets={buckets}
        names={names}
        headers={[step, 'Visits', 'Of invite pages']}
        values={VALUES.visits}
        tell={({ visits, invite_visits }) =>
          `${formatAmount(visits, 'visit')}, ${formatCount(invite_visits)} of invite pages`
        }
      />
      <CountChart
        title="K-factor"
        definition={
          `Friends brought so far by the members of each ${per}, divided by these members. ` +
          'Above 1, the line grows by itself.'
        }
        buckets={buckets}
        names={names}
        headers={[step, 'K-factor', 'Friends', 'Joins']}
        values={VALUES.kFactor}
        format={formatFactor}
        tell={({ k_factor, friends, joins }) =>
          k_factor === null
            ? 'No joins'
            : `${formatFactor(k_factor)}: ${formatAmount(friends, 'friend')} of ` +
              formatAmount(joins, 'join')
        }
      />
    </>
  );
}

const formatFactor = (factor: number) => factor.toFixed(2);

type ChartValues = {
  /** The plain series first, and the charged one in front of it. */
  readonly series: readonly {
    readonly label: string;
    readonly of: (counts: Counts) => number | null;
  }[];
  readonly columns: readonly ((counts: Counts) => string)[];
};

const VALUES = {
  joins: {
    series: [
      { label: 'Joins', of: ({ joins }) => joins },
      { label: 'Brought by members', of: ({ invited }) => invited },
    ],
    columns: [({ joins }) => formatCount(joins), ({ invited }) => formatCount(invited)],
  },
  visits: {
    series: [
      { label: 'Visits', of: ({ visits }) => visits },
      { label: 'Of invite pages', of: ({ invite_visits }) => invite_visits },
    ],
    columns: [
      ({ visits }) => formatCount(visits),
      ({ invite_visits }) => formatCount(invite_visits),
    ],
  },
  kFactor: {
    series: [{ label: 'K-factor', of: ({ k_factor }) => k_factor }],
    columns: [
      ({ k_factor }) => (k_factor === null ? '—' : formatFactor(k_factor)),
      ({ friends }) => formatCount(friends),
      ({ joins }) => formatCount(joins),
    ],
  },
} as const satisfies Record<string, ChartValues>;

type CountChartProps = {
  readonly title: string;
  readonly definition: string;
  readonly buckets: readonly Counts[];
  readonly names: readonly string[];
  readonly headers: readonly string[];
  readonly values: ChartValues;
  readonly format?: (value: number) => string;
  readonly tell: (counts: Counts) => string;
};

function CountChart({
  title,
  definition,
  buckets,
  names,
  headers,
  values,
  format,
  tell,
}: CountChartProps) {
  const [point, setPoint] = useState<number | null>(null);
  const times = useMemo(
    () => buckets.map(({ starts_at }) => Date.parse(starts_at) / 1000),
    [buckets],
  );
  const series = useMemo(
    () =>
      values.series.map(({ label, of }, index): ChartSeries => {
        const isLast = index === values.series.length - 1;
        return { label, values: buckets.map(of), tone: isLast ? 'charged' : 'plain' };
      }),
    [buckets, values],
  );
  const shown = Math.min(point ?? buckets.length - 1, buckets.length - 1);
  const counts = buckets[shown];
  return (
    <ChartFrame
      title={title}
      definition={definition}
      readout={counts && `${names[shown]} · ${tell(counts)}`}
      chart={
        <TimeChart
          label={`${title}, ${names[0]} to ${names.at(-1)}`}
          times={times}
          series={series}
          kind="bars"
          {...(format && { format })}
          onPoint={setPoint}
        />
      }
      headers={headers}
      rows={buckets.map((each, index) => [
        names[index] ?? '',
        ...values.columns.map((column) => column(each)),
      ])}
    />
  );
}
