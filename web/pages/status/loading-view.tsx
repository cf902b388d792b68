import { useEffect } from 'react';
import { ghostSvg } from '../../../brand/art/ghost.ts';
import { brand } from '../../../brand/brand.ts';
import { useStoredMember } from '../../browser/use-stored-member.ts';
import { HundredMeter } from '../parts/hundred-meter.tsx';
import { GhostCard } from './ghost-card.tsx';
import { countPlacesToGo } from './line-place.tsx';

/**
 * What whoever's page will need, made while their data is on the way and each in a task of its own: the light on the mask, which every
 * face shares, and how the language writes numbers.
 */
const PREPARATIONS = [() => ghostSvg('ANYBODY'), () => countPlacesToGo(1e6)];

/** The status page before its data: the same boxes at the same places, unlit. A member who has just joined has a face already. */
export function LoadingView({ memberId }: { memberId: string }) {
  const { member } = useStoredMember();
  const code = member?.id === memberId ? member.referral_code : undefined;

  useEffect(() => {
    const timers = PREPARATIONS.map((prepare) => setTimeout(prepare));
    return () => timers.forEach(clearTimeout);
  }, []);

  return (
    <div className="status-split status-waiting">
      <div className="status-column">
        <div className="status-place">
          <div role="status">
            <h1 className="status-loading">{brand.specified.statusLoading}</h1>
          </div>
          {/* As large as the number will be: else the page would seem painted only when that has come. */}
          <div className="dot-number status-unlit" aria-hidden="true">
            <span className="dot-number-digit" data-digit="#000" />
          </div>
          <div className="status-hundred">
            <p className="label hundred-caption">The Hundred</p>
            <HundredMeter />
          </div>
        </div>
        <div className="card status-blank" />
      </div>
      <div className="status-column">
        {code === undefined ? <div className="card status-blank status-blank-ghost" /> : <GhostCard code={code} />}
        <div className="card status-blank" />
      </div>
    </div>
  );
}
