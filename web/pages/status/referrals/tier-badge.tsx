import BadgeIcon from 'lucide-react/icons/badge';
import Crown from 'lucide-react/icons/crown';
import Gift from 'lucide-react/icons/gift';
import Trophy from 'lucide-react/icons/trophy';
import { Badge } from '../../../ui/badge.tsx';

/** Icons by tier level (docs/behaviour.md 9); the last one also for all levels above. */
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
      Tier {level}
    </Badge>
  );
}
