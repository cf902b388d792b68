import type { Overview } from '../../../contract/operator/overview.ts';
import { BarList } from '../../ui/charts/bar-list.tsx';
import { ChartFrame } from '../../ui/charts/chart-frame.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { formatCount, formatShare } from '../../ui/text/numbers.ts';
import { formatWait, formatWaits } from './overview-words.ts';

/** From a visit to a friend, and how long that takes. */
export function FunnelCharts({ overview }: { overview: Overview }) {
  return (
    <>
      <Funnel totals={overview.totals} />
      <FirstFriend {...overview.first_friend} />
    </>
  );
}

function Funnel({ totals }: Pick<Overview, 'totals'>) {
  const { visits, joins, shared, with_friend } = totals;
  const steps = [
    { name: 'Visits', value: visits, of: null },
    { name: 'Joined', value: joins, of: visits },
    { name: 'Invite link opened', value: shared, of: joins },
    { name: 'Brought a friend', value: with_friend, of: shared },
  ];
  const shown = steps.map(({ name, value, of }) => ({
    key: name,
    label: name,
    value,
    share: of === null || of === 0 ? '—' : formatShare(value / of),
  }));
  return (
    <ChartFrame
      title="From visit to friend"
      definition={
        'Visits and joins in the period; of these members, those whose invite link somebody or a ' +
        'preview opened since, and those who brought a friend. Each as a share of the step before.'
      }
      chart={
        <BarList
          label="From visit to friend"
          bars={shown.map(({ share, ...bar }) => ({
            ...bar,
            shown: `${formatCount(bar.value)} · ${share}`,
          }))}
        />
      }
      headers={['Step', 'Number', 'Of the step before']}
      rows={shown.map(({ label, value, share }) => [label, formatCount(value), share])}
    />
  );
}

function FirstFriend({ members, quartiles, histogram }: Overview['first_friend']) {
  const [quarter, median, threeQuarters] = quartiles ?? [];
  const isKnown = quarter !== undefined && median !== undefined && threeQuarters !== undefined;
  const bars = histogram.map(({ from_minutes, to_minutes, members: value }) => ({
    key: String(from_minutes),
    label: formatWaits(from_minutes, to_minutes),
    value,
    shown: `${formatCount(value)} · ${formatShare(members === 0 ? 0 : value / members)}`,
  }));
  return (
    <ChartFrame
      title="Time to the first friend"
      definition={
        "From a member's join to the first join by their invite: of all times, members with a " +
        'friend.'
      }
      readout={
        isKnown &&
        [
          `Half within ${formatWait(median)}`,
          `a quarter within ${formatWait(quarter)}, three within ${formatWait(threeQuarters)}`,
        ].join(' · ')
      }
      chart={
        members === 0 ? (
          <EmptyFace title="No friends yet">The first invited join is counted here.</EmptyFace>
        ) : (
          <BarList label="Time to the first friend" bars={bars} />
        )
      }
      headers={['Time', 'Members and share']}
      rows={bars.map(({ label, shown }) => [label, shown])}
    />
  );
}
