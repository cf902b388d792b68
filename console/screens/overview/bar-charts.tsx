import type { ReactNode } from 'react';
import { MAX_SOURCE_LINK } from '../../../contract/operator/limits.ts';
import type { Overview } from '../../../contract/operator/overview.ts';
import { changeForm } from '../../parts/change-form.tsx';
import { ActionButton, useMayWrite } from '../../parts/changes.tsx';
import { type Bar, BarList, ChartFrame, type ChartFrameProps } from '../../ui/chart-frame.tsx';
import { formatAmount, formatCount, formatShare } from '../../ui/formats.ts';
import { EmptyState } from '../../ui/states.tsx';
import { formatWait, formatWaits, nameSource, writeSource } from './overview-words.ts';

const MAX_BARS = 8;

export function BarCharts({ overview }: { overview: Overview }) {
  const { sources, channels, left_off_sources: leftOff, totals, first_friend } = overview;
  const smaller = leftOff > 0 ? ` ${formatAmount(leftOff, 'smaller source')} left off.` : '';
  return (
    <>
      <Funnel totals={totals} />
      <FirstFriend {...first_friend} />
      <Origins
        title="Sources"
        header="Source"
        definition={`Joins and visits by UTM parameters and the site that linked to us.${smaller}`}
        actions={<ActionButton label="Pin a source" dialog={pinSource} />}
        origins={sources.map((source) => ({
          ...source,
          name: nameSource(source),
          cells: { Pinned: <PinCell source={source} /> },
        }))}
        empty="Sources of visits and joins are listed here."
      />
      <Origins
        title="Share channels"
        header="Channel"
        definition="The same by how a link was shared: its parameter via."
        origins={channels.map((channel) => ({ ...channel, name: channel.via || 'Not told' }))}
        empty="Links with a parameter via, such as via=qr, are told apart here."
      />
    </>
  );
}

function Funnel({ totals: { visits, joins, shared, with_friend } }: Pick<Overview, 'totals'>) {
  const steps = [
    { name: 'Visits', value: visits, of: 0 },
    { name: 'Joined', value: joins, of: visits },
    { name: 'Invite link opened', value: shared, of: joins },
    { name: 'Brought a friend', value: with_friend, of: shared },
  ].map(({ of, ...step }) => ({ ...step, share: of === 0 ? '—' : formatShare(step.value / of) }));
  return (
    <BarChart
      title="From visit to friend"
      definition={
        'Visits and joins in the period; of these members, those whose invite link somebody or a ' +
        'preview opened since, and those who brought a friend. Each as a share of the step before.'
      }
      bars={steps.map(({ name, value, share }) => ({
        name,
        value,
        shown: `${formatCount(value)} · ${share}`,
      }))}
      headers={['Step', 'Number', 'Of the step before']}
      rows={steps.map(({ name, value, share }) => [name, formatCount(value), share])}
    />
  );
}

function FirstFriend({ members, quartiles, histogram }: Overview['first_friend']) {
  const [quarter, median, threeQuarters] = quartiles ?? [];
  const isKnown = quarter !== undefined && median !== undefined && threeQuarters !== undefined;
  const bars = histogram.map(({ from_minutes, to_minutes, members: value }) => ({
    name: formatWaits(from_minutes, to_minutes),
    value,
    shown: `${formatCount(value)} · ${formatShare(members === 0 ? 0 : value / members)}`,
  }));
  return (
    <BarChart
      title="Time to the first friend"
      definition={
        "From a member's join to the first join by their invite: of all times, members with a " +
        'friend.'
      }
      readout={
        isKnown &&
        `Half within ${formatWait(median)} · a quarter within ${formatWait(quarter)}, ` +
          `three within ${formatWait(threeQuarters)}`
      }
      bars={members === 0 ? [] : bars}
      emptyTitle="No friends yet"
      empty="The first invited join is counted here."
      headers={['Time', 'Members and share']}
      rows={bars.map(({ name, shown }) => [name, shown])}
    />
  );
}

type OriginsProps = Omit<BarChartProps, 'bars' | 'headers' | 'rows'> & {
  readonly header: string;
  readonly origins: readonly {
    readonly name: string;
    readonly visits: number;
    readonly joins: number;
    readonly cells?: Readonly<Record<string, ReactNode>>;
  }[];
};

function Origins({ header, origins, ...chart }: OriginsProps) {
  return (
    <BarChart
      {...chart}
      bars={origins.slice(0, MAX_BARS).map(({ name, visits, joins }) => ({
        name,
        value: joins,
        shown: `${formatAmount(joins, 'join')} · ${formatAmount(visits, 'visit')}`,
      }))}
      headers={[header, 'Joins', 'Visits', ...Object.keys(origins[0]?.cells ?? {})]}
      rows={origins.map(({ name, visits, joins, cells = {} }) => [
        name,
        formatCount(joins),
        formatCount(visits),
        ...Object.values(cells),
      ])}
    />
  );
}

type BarChartProps = Omit<ChartFrameProps, 'chart'> & {
  readonly bars: readonly Bar[];
  readonly emptyTitle?: string;
  readonly empty?: string;
};

function BarChart({ bars, emptyTitle = 'Nothing yet', empty, ...frame }: BarChartProps) {
  return (
    <ChartFrame
      {...frame}
      chart={
        bars.length === 0 ? (
          <EmptyState title={emptyTitle}>{empty}</EmptyState>
        ) : (
          <BarList label={frame.title} bars={bars} />
        )
      }
    />
  );
}

function PinCell({ source }: { source: Overview['sources'][number] }) {
  const mayWrite = useMayWrite();
  const link = writeSource(source);
  const name = nameSource(source);
  if (link === null) return null;
  if (!mayWrite) return source.is_pinned ? 'Pinned' : null;
  const label = source.is_pinned ? 'Unpin' : 'Pin';
  const kind = source.is_pinned ? 'unpin-source' : 'pin-source';
  return (
    <ActionButton
      variant="quiet"
      label={label}
      aria-label={`${label} ${name}`}
      dialog={changeForm({
        title: `${label} ${name}`,
        confirmLabel: label,
        want: { kind, input: { source: link } },
      })}
    />
  );
}

const pinSource = changeForm({
  title: 'Pin a source',
  confirmLabel: 'Pin',
  fields: {
    link: {
      label: 'Link',
      hint: 'Or its parameters, such as utm_source=fair&utm_medium=flyer',
      maxLength: MAX_SOURCE_LINK,
      isFirst: true,
    },
  },
  want: ({ link: source }) =>
    source === ''
      ? 'Write the link that you will print or share.'
      : { kind: 'pin-source', input: { source } },
});
