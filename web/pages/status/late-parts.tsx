/** A member's page below its first view: a chunk and a style sheet, fetched after hydration. */
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { brand } from '../../../brand/brand.ts';
import type { Member, Stats } from '../../../contract/schemas.ts';
import { toastForFailure } from '../../toasts.ts';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { loadStyles } from '../../ui/late-styles.ts';
import { DotNumber } from '../../ui/numerals/dot-number.tsx';
import { toastStore } from '../../ui/toast/toast-store.ts';
import styles from './late.css?url';
import { describeChange, describeTier } from './progress-rules.ts';

export { PlainTeaserCard, TeaserCard } from '../parts/teaser-card.tsx';
export { InviterCard } from './inviter-card.tsx';
export { ReferralCard } from './referral-card.tsx';
export { RewardsCard } from './rewards-card.tsx';
export { ShareKit } from './share-kit.tsx';

export const loadLateStyles = () => loadStyles(styles);

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

type Choice = ComponentType<{ memberId: string }>;

export function SizeCard({ memberId }: { memberId: string }) {
  const [loaded, setLoaded] = useState<{ readonly Choice: Choice } | null>(null);

  /** The button stays after a failed load. */
  const open = () =>
    import('./size-choice.tsx').then(
      ({ SizeChoice: Choice }) => setLoaded({ Choice }),
      () => toastStore.show(toastForFailure(null)),
    );

  return (
    <Card title="Your size" id="your-size" className="size-card">
      {loaded ? (
        <loaded.Choice memberId={memberId} />
      ) : (
        <Button variant="secondary" onClick={open}>
          Choose sizes
        </Button>
      )}
    </Card>
  );
}

/** Duration of the news, which is that of a toast (docs/behaviour.md 9). */
const TIER_NEWS_MS = 5000;

/** Names a reached tier below the first view. ChangeAnnouncement is for screen readers. */
export function TierNews({ member }: { member: Member }) {
  const [isShown, setShown] = useState(() => scrollY > innerHeight / 2);

  useEffect(() => {
    const timer = setTimeout(() => setShown(false), TIER_NEWS_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    isShown && (
      <p className="tier-news" aria-hidden="true">
        {describeTier(member)}
      </p>
    )
  );
}

export function ChangeAnnouncement({ member }: { member: Parameters<typeof describeChange>[0] }) {
  const [announcement, setAnnouncement] = useState('');
  const before = useRef(member);

  useEffect(() => {
    const text = describeChange(before.current, member);
    before.current = member;
    if (text !== '') setAnnouncement(text);
  }, [member]);

  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  );
}
