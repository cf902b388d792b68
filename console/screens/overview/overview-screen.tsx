import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { TopInviter } from '../../../contract/operator/inviters.ts';
import type { Overview, OverviewHealth } from '../../../contract/operator/overview.ts';
import { call, useRead } from '../../api/queries.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { healthQuery, MailProblem } from '../../parts/mail-problem.tsx';
import { ListSection, QueryContent, Screen } from '../../parts/screen.tsx';
import { type ListState, useListState } from '../../routing/location.ts';
import { ChartFrame } from '../../ui/chart-frame.tsx';
import {
  Address,
  Banner,
  FactsSection,
  Pill,
  RelativeTime,
  Stat,
  StatRow,
} from '../../ui/facts.tsx';
import { Segmented, Select } from '../../ui/fields.tsx';
import { formatAmount, formatBytes, formatCount, formatShare } from '../../ui/formats.ts';
import { type Column, countColumn } from '../../ui/table.tsx';
import { TimeChart } from '../../ui/time-chart.tsx';
import { DropNow } from '../drop/steer-offers.tsx';
import { BarCharts } from './bar-charts.tsx';
import { formatWait, nameBucket, nameSource } from './overview-words.ts';

const REFRESH_MS = 5_000;
const HOUR_MS = 3_600_000;

type Range = { readonly label: string; readonly bucket: 'hour' | 'day'; readonly count: number };

const USUAL: Range = { label: '30 d', bucket: 'day', count: 30 };
const RANGES: Readonly<Record<string, Range>> = {
  '24h': { label: '24 h', bucket: 'hour', count: 24 },
  '7d': { label: '7 d', bucket: 'day', count: 7 },
  '30d': USUAL,
  '90d': { label: '90 d', bucket: 'day', count: 90 },
};
const DEFAULT = '30d';

const overviewQuery = ({ bucket, count }: Range) =>
  queryOptions({
    queryKey: ['overview', bucket, count],
    queryFn: ({ signal }) => {
      const hours = (count - 1) * (bucket === 'hour' ? 1 : 24);
      const query = {
        bucket,
        tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
        from: new Date(Date.now() - hours * HOUR_MS).toISOString(),
      };
      return call('GET overview', { query, signal });
    },
    refetchInterval: REFRESH_MS,
  });

export function OverviewScreen() {
  const list = useListState();
  const period = list.field('range', DEFAULT);
  const range = RANGES[period.value] ?? USUAL;
  const overview = useQuery(overviewQuery(range));
  const health = useQuery(healthQuery);

  return (
    <Screen
      title="Overview"
      note="Counted without cookies, in your time zone, and kept up to date while you look."
      actions={
        <Segmented
          label="Period"
          options={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
          {...period}
        />
      }
    >
      <MailProblem />
      <DropNow />
      {health.data?.notices.map((notice) => (
        <Banner key={notice}>{notice}</Banner>
      ))}
      <QueryContent query={overview} lines={8}>
        {(data) => (
          <>
            <LineFigures overview={data} />
            <div className="overview-charts">
              {CHARTS.map((chart) => (
                <CountChart
                  key={chart.title}
                  chart={chart}
                  buckets={data.buckets}
                  bucket={range.bucket}
                />
              ))}
              <BarCharts overview={data} />
            </div>
            <TopInviters overview={data} source={list.field('source')} />
          </>
        )}
      </QueryContent>
      <QueryContent query={health} lines={6}>
        {(data) => <HealthSections health={data} />}
      </QueryContent>
    </Screen>
  );
}

function LineFigures({ overview }: { overview: Overview }) {
  const { members, uncounted, totals, invited_share, k_factor } = overview;
  const first = <Link href="/first">Look at the first</Link>;
  return (
    <>
      {uncounted > 0 && (
        <Banner>
          {`${formatAmount(uncounted, 'join is', 'joins are')} still being counted, ` +
            'and missing below.'}
        </Banner>
      )}
      <StatRow label="The line">
        <Stat label="Members now" value={formatCount(members)} note={first} isCharged />
        <Stat label="Joins" value={formatCount(totals.joins)} note="in the period" />
        <Stat
          label="Brought by members"
          value={invited_share === null ? '—' : formatShare(invited_share)}
          note="of these joins"
        />
        <Stat label="K-factor" value={k_factor?.toFixed(2) ?? '—'} note="friends a member" />
        <Stat label="Visits" value={formatCount(totals.visits)} note="in the period" />
      </StatRow>
    </>
  );
}

const ENGINES = { embedded: 'Embedded', postgres: 'PostgreSQL' } as const;

function HealthSections({ health }: { health: OverviewHealth }) {
  const { top, masks, mail, guard, database, backup } = health;
  return (
    <div className="overview-health">
      <FactsSection
        title="Next freeze"
        note={`Friends of the first ${formatCount(top.members)}.`}
        entries={{
          Friends: formatCount(top.friends),
          'Not confirmed': marked(top.unconfirmed, 'do not count'),
        }}
      />
      <FactsSection
        title="Stock"
        note="Available of stock, per size."
        entries={[
          ...masks.sizes.map(
            ({ name, stock, available }) =>
              [name, `${formatCount(available)} of ${formatCount(stock)}`] as const,
          ),
          ['Promised', `${formatCount(masks.promised)}, ${formatCount(masks.available)} available`],
        ]}
      />
      <FactsSection
        title="Mail"
        note="Mails of the last 24 hours; addresses of all times."
        actions={
          <ActionButton
            label="Send again"
            isOffered={mail.refused + mail.given_up > 0}
            dialog={SEND_AGAIN}
          />
        }
        entries={{
          Sent: formatCount(mail.sent),
          ...(mail.kept > 0 && { 'Kept in files': marked(mail.kept, 'not sent') }),
          Waiting: describeWaiting(mail),
          Failing: marked(mail.failing, 'tried again'),
          Refused: marked(mail.refused + mail.given_up, 'never arrived'),
          Unsubscribed: formatCount(mail.stopped),
          Bounced: formatCount(mail.bounced),
          Complained: formatCount(mail.complained),
        }}
      />
      <FactsSection
        title="Guards"
        note="Joins of the last 24 hours."
        entries={{
          'Over a limit': formatCount(guard.limited),
          'Asked for a proof': formatCount(guard.proofs_asked),
          'Brought a proof': formatCount(guard.proofs_brought),
        }}
      />
      <FactsSection
        title="Data"
        note="The database and its last backup."
        entries={{
          Database: `${ENGINES[database.engine]}, ${formatBytes(database.bytes)}`,
          'Last backup': <LastBackup backup={backup} />,
        }}
      />
    </div>
  );
}

const SEND_AGAIN = changeForm({
  title: 'Send mails again',
  want: { kind: 'retry-mails', input: {} },
  confirmLabel: 'Send again',
});

function describeWaiting({ waiting, oldest_seconds }: OverviewHealth['mail']): string {
  if (waiting === 0) return '0';
  return `${formatCount(waiting)}, for ${formatWait(Math.round(oldest_seconds / 60))}`;
}

function marked(count: number, what: string): ReactNode {
  if (count === 0) return '0';
  return <Pill tone="ember">{`${formatCount(count)} ${what}`}</Pill>;
}

function LastBackup({ backup: { succeeded_at, failed_at } }: Pick<OverviewHealth, 'backup'>) {
  const isFailed = failed_at !== null && failed_at > (succeeded_at ?? '');
  if (succeeded_at === null && !isFailed) return <Pill tone="ember">Never</Pill>;
  return (
    <span>
      {succeeded_at === null ? <span>Never</span> : <RelativeTime at={succeeded_at} />}{' '}
      {isFailed && <Pill tone="ember">The last one failed</Pill>}
    </span>
  );
}

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

const INVITERS_REFRESH_MS = 60_000;

const inviterColumns: readonly Column<TopInviter>[] = [
  { header: 'Member', cell: ({ member }) => <Address email={member.email} /> },
  countColumn('Friends', ({ friends }) => friends),
  countColumn('Waiting', ({ waiting }) => waiting),
  {
    header: 'From',
    cell: ({ sources }) =>
      sources
        .map((source) => `${nameSource(source)}: ${formatCount(source.friends + source.waiting)}`)
        .join(', '),
  },
];

type TopInvitersProps = {
  readonly overview: Pick<Overview, 'from' | 'sources'>;
  readonly source: ReturnType<ListState['field']>;
};

function TopInviters({ overview: { from, sources }, source }: TopInvitersProps) {
  const query = useRead('GET topInviters', {
    query: { joined_from: from, source: source.value },
    refetchInterval: INVITERS_REFRESH_MS,
  });
  return (
    <ListSection
      note="Members whose friends joined in the period, and where these came from."
      actions={
        <Select
          label="Source of the friends"
          isLabelHidden
          options={listSources(sources, source.value)}
          {...source}
        />
      }
      query={query}
      label="Top inviters"
      columns={inviterColumns}
      rows={query.data?.inviters}
      keyOf={({ member }) => member.id}
      hrefOf={({ member }) => `/members?open=${member.id}`}
      emptyTitle="Nobody brought a friend"
      empty="Members whose friends joined in the period are listed here."
    />
  );
}

function listSources(sources: Overview['sources'], chosen: string): Record<string, string> {
  const values = sources.flatMap(({ via, utm_source, referring_host }) => [
    via,
    utm_source,
    referring_host,
  ]);
  const options = [...new Set([...values, chosen])].filter((value) => value !== '').toSorted();
  return { '': 'Every source', ...Object.fromEntries(options.map((value) => [value, value])) };
}
