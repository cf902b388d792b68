import { useEffect } from 'react';
import { ghostSvg } from '../../../brand/art/ghost.ts';
import { brand } from '../../../brand/brand.ts';
import { useStoredMember } from '../../browser/use-stored-member.ts';
import { MaskMeter } from '../parts/mask-meter.tsx';
import { GhostCard } from './ghost-card.tsx';
import { countPlacesToGo } from './position-card.tsx';

/** Work for every member, done while the data loads: the light on the mask, the number format. */
const WARM_UPS = [() => ghostSvg('ANYBODY'), () => countPlacesToGo(1e6)];

/** The boxes of the status page at their final places. A member who has just joined has a face. */
export function LoadingView({ memberId }: { memberId: string }) {
  const { member } = useStoredMember();
  const code = member?.id === memberId ? member.referral_code : undefined;

  useEffect(() => {
    const timers = WARM_UPS.map((warmUp) => setTimeout(warmUp));
    return () => timers.forEach(clearTimeout);
  }, []);

  return (
    <div className="status-split status-waiting">
      <div className="status-column">
        <div className="position-card">
          <div role="status">
            <h1 className="status-loading">{brand.specified.statusLoading}</h1>
          </div>
          {/* As large as the number will be, so that the number is not the largest paint. */}
          <div className="dot-number dot-number-unlit" aria-hidden="true">
            <span className="dot-number-digit" data-digit="#000" />
          </div>
          <div className="position-meter">
            <p className="label meter-caption">{brand.copy.meterTitle}</p>
            <MaskMeter />
          </div>
        </div>
        <div className="card placeholder-card" />
      </div>
      <div className="status-column">
        {code === undefined ? (
          <div className="card placeholder-card placeholder-ghost" />
        ) : (
          <GhostCard code={code} />
        )}
        <div className="card placeholder-card" />
      </div>
    </div>
  );
}
