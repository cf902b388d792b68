import type { ReactNode } from 'react';
import { MAX_SOURCE_LINK } from '../../../contract/operator/limits.ts';
import type { Overview } from '../../../contract/operator/overview.ts';
import { ActionButton, useMayWrite } from '../../parts/changes.tsx';
import { changeForm } from '../../parts/forms.tsx';
import { ChartFrame, type ChartFrameProps } from '../../ui/chart-frame.tsx';
import { EmptyState } from '../../ui/facts.tsx';
import { formatAmount, formatCount, formatShare } from '../../ui/formats.ts';
import { formatWait, formatWaits, nameSource, writeSource } from './overview-words.ts';

const MAX_BARS = 8;

export function BarCharts({ overview }: { overview: Overview }) {
  const { sources, channels, left_off_sources: leftOff, totals, first_friend } = overview;
  const smaller = leftOff > 0 ? ` ${formatAmount(leftOff, 'smaller source')} left off.` : '';
  return (
    <>
      <BarChart
        title="From visit to friend"
        definition={
          'Visits and joins in the period; of these members, those whose invite link somebody or ' +
          'a preview opened since, and those who brought a friend. Each as a share of the step ' +
          'before.'
        }
        header="Step"
        bars={funnelOf(totals)}
      />
      <FirstFriend {...first_friend} />
      <BarChart
        title="Sources"
        header="Source"
        definition={`Joins and visits by UTM parameters and the site that linked to us.${smaller}`}
        actions={<ActionButton dialog={pinSource} />}
        bars={sources.map((source) => {
          const bar = originOf(nameSource(source), source);
          return { ...bar, cells: { ...bar.cells, Pinned: <PinCell source={source} /> } };
        })}
        empty="Sources of visits and joins are listed here."
      />
      <BarChart
        title="Share channels"
        header="Channel"
        definition="The same by how a link was shared: its parameter via."
        bars={channels.map((channel) => originOf(channel.via || 'Not told', channel))}
        empty="Links with a parameter via, such as via=qr, are told apart here."
      />
    </>
  );
}

function funnelOf({ visits, joins, shared, with_friend }: Overview['totals']): Bar[] {
  const steps = [
    { name: 'Visits', value: visits, of: 0 },
    { name: 'Joined', value: joins, of: visits },
    { name: 'Invite link opened', value: shared, of: joins },
    { name: 'Brought a friend', value: with_friend, of: shared },
  ];
  return steps.map(({ name, value, of }) => {
    const share = of === 0 ? '—' : formatShare(value / of);
    return { name, value, cells: { Number: formatCount(value), 'Of the step before': share } };
  });
}

function FirstFriend({ members, quartiles, histogram }: Overview['first_friend']) {
  const [quarter, median, threeQuarters] = quartiles ?? [];
  const isKnown = quarter !== undefined && median !== undefined && threeQuarters !== undefined;
  const bars = histogram.map(({ from_minutes, to_minutes, members: value }) => ({
    name: formatWaits(from_minutes, to_minutes),
    value,
    cells: { Members: formatCount(value), Share: formatShare(value / members) },
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
      header="Time"
      bars={members === 0 ? [] : bars}
      emptyTitle="No friends yet"
      empty="The first invited join is counted here."
    />
  );
}

function originOf(name: string, { joins, visits }: { joins: number; visits: number }): Bar {
  return {
    name,
    value: joins,
    shown: `${formatAmount(joins, 'join')} · ${formatAmount(visits, 'visit')}`,
    cells: { Joins: formatCount(joins), Visits: formatCount(visits) },
  };
}

type Bar = {
  readonly name: string;
  readonly value: number;
  /** By header, in the table of numbers; they also stand at the bar, unless `shown` does. */
  readonly cells: Readonly<Record<string, ReactNode>>;
  readonly shown?: string;
};

type BarChartProps = Omit<ChartFrameProps, 'chart' | 'headers' | 'rows'> & {
  readonly header: string;
  readonly bars: readonly Bar[];
  readonly emptyTitle?: string;
  readonly empty?: string;
};

function BarChart({ header, bars, emptyTitle = 'Nothing yet', empty, ...frame }: BarChartProps) {
  const max = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ChartFrame
      {...frame}
      chart={
        bars.length === 0 ? (
          <EmptyState title={emptyTitle}>{empty}</EmptyState>
        ) : (
          <ul className="bar-list" aria-label={frame.title}>
            {bars.slice(0, MAX_BARS).map(({ name, value, cells, shown }) => (
              <li key={name}>
                <span>{name}</span>
                <span className="bar-value">{shown ?? Object.values(cells).join(' · ')}</span>
                <progress className="progress" aria-hidden="true" max={max} value={value} />
              </li>
            ))}
          </ul>
        )
      }
      headers={[header, ...Object.keys(bars[0]?.cells ?? {})]}
      rows={bars.map(({ name, cells }) => [name, ...Object.values(cells)])}
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
    source: {
      label: 'Link',
      hint: 'Or its parameters, such as utm_source=fair&utm_medium=flyer',
      maxLength: MAX_SOURCE_LINK,
      isRequired: true,
      isFirst: true,
    },
  },
  want: { kind: 'pin-source', input: {} },
});
