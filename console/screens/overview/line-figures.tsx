import type { Overview } from '../../../contract/operator/overview.ts';
import { Banner } from '../../ui/data/banner.tsx';
import { Stat, StatRow } from '../../ui/data/stat.tsx';
import { formatAmount, formatCount, formatShare } from '../../ui/text/numbers.ts';

/** The numbers to know at a glance. A dash: there is nothing to divide by. */
export function LineFigures({ overview }: { overview: Overview }) {
  const { members, uncounted, totals, invited_share, k_factor } = overview;
  return (
    <>
      {uncounted > 0 && (
        <Banner tone="plain">
          {formatAmount(uncounted, 'join is', 'joins are')} still being counted, and missing below.
        </Banner>
      )}
      <StatRow label="The line">
        <Stat label="Members now" value={formatCount(members)} isCharged />
        <Stat label="Joins" value={formatCount(totals.joins)} note="in the period" />
        <Stat
          label="Brought by members"
          value={invited_share === null ? '—' : formatShare(invited_share)}
          note="of these joins"
        />
        <Stat
          label="K-factor"
          value={k_factor === null ? '—' : k_factor.toFixed(2)}
          note="friends a member"
        />
        <Stat label="Visits" value={formatCount(totals.visits)} note="in the period" />
      </StatRow>
    </>
  );
}
