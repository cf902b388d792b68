import BadgeIcon from 'lucide-react/icons/badge';
import Crown from 'lucide-react/icons/crown';
import Gift from 'lucide-react/icons/gift';
import Trophy from 'lucide-react/icons/trophy';
import { useEffect, useState } from 'react';
import { brand } from '../../../brand/brand.ts';
import { describeFriends, describeSettling, writeDay } from '../../../contract/friend-words.ts';
import type { Member } from '../../../contract/schemas.ts';
import { fetchDrop, type ShownDrop } from '../../countdown/fetch-drop.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DotNumber } from '../../ui/numerals/dot-number.tsx';
import { tierProgressPercent } from './progress-rules.ts';

/** docs/behaviour.md 1 hides how many referrals a tier requires, so the bar shows a share. */
export function ReferralCard({ member, isTierNew }: { member: Member; isTierNew: boolean }) {
  const { referral_count: count, tier_level: level, next_tier: nextTier } = member;
  const friends = describeFriends(member);
  return (
    <Card
      title="Referrals"
      id="referrals"
      className="referral-card"
      aside={<TierBadge level={level} />}
    >
      {isTierNew && <span className="tier-flare" aria-hidden="true" />}
      <p className="referral-count">
        <DotNumber value={count} />
        <span className="referral-words">
          <span className="label">{count === 1 ? 'referral' : 'referrals'}</span>
          {friends && <span className="quiet">{friends}</span>}
        </span>
      </p>
      <Settling member={member} />
      {nextTier && (
        <progress
          className="progress"
          aria-label="Progress toward the next tier"
          value={tierProgressPercent(count, nextTier)}
          max={100}
        />
      )}
      <p className="quiet">
        {nextTier ? `Next reward: ${nextTier.reward}` : 'You have reached the last tier.'}
      </p>
    </Card>
  );
}

const ICONS = [null, Gift, BadgeIcon, Trophy, Crown] as const;
const FIRST_GOLDEN_LEVEL = 3;

export function TierBadge({ level }: { level: number }) {
  const Icon = ICONS[Math.min(Math.max(level, 0), ICONS.length - 1)];
  return (
    <Badge tone={level > 0 ? 'charged' : 'plain'}>
      {Icon && (
        <Icon
          aria-hidden="true"
          size={16}
          className={level >= FIRST_GOLDEN_LEVEL ? 'tier-golden' : ''}
        />
      )}
      <span>{`Tier ${level}`}</span>
    </Badge>
  );
}

function Settling({ member }: { member: Member }) {
  const [drop, setDrop] = useState<ShownDrop | null>(null);
  const isSettling = describeSettling(member, null) !== '';

  useEffect(() => {
    if (isSettling) fetchDrop().then(setDrop, () => undefined);
  }, [isSettling]);

  if (!isSettling || (drop?.state ?? 'open') !== 'open') return null;
  const next = drop?.next_step;
  const day = next?.step === 'freeze-drop' ? writeDay(new Date(next.at), brand.language) : null;
  return <p className="quiet settling">{describeSettling(member, day)}</p>;
}
