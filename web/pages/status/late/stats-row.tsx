import { brand } from '../../../../brand/brand.ts';
import type { Stats } from '../../../../contract/schemas.ts';
import { DotNumber } from '../../../ui/numerals/dot-number.tsx';

/** Three numbers of the whole line, or 'Not available'. */
export function StatsRow({ stats }: { stats: Stats | null }) {
  return (
    <dl className="card stats-row">
      <Stat label={brand.specified.totalMembers} value={stats?.total_signups} />
      <Stat label="Masks Remaining" value={stats?.available_masks} />
      <Stat label="Top Referrer Score" value={stats && (stats.top_referrers[0]?.referrals ?? 0)} />
    </dl>
  );
}

function Stat({ label, value }: { label: string; value: number | null | undefined }) {
  return (
    <div className="stat">
      <dt className="label">{label}</dt>
      <dd>
        {typeof value === 'number' ? (
          <DotNumber value={value} />
        ) : (
          <span className="quiet">Not available</span>
        )}
      </dd>
    </div>
  );
}
