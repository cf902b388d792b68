import './landing.css';
import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { MaskMeter } from '../parts/mask-meter.tsx';
import { SitePage } from '../parts/site-page.tsx';
import { SizeList } from '../parts/size-list.tsx';
import { BannerSlot } from './banner-slot.tsx';
import { Faces } from './faces.tsx';
import { HowTheLineWorks } from './how-the-line-works.tsx';
import { JoinCue } from './join-cue.tsx';
import { LandingMask } from './landing-mask.tsx';

type LandingViewProps = {
  readonly referral: string | null;
  readonly isReferralActive: boolean;
  /** The join form. */
  readonly children: ReactNode;
};

export function LandingView({ referral, isReferralActive, children }: LandingViewProps) {
  const [firstLine, secondLine] = brand.copy.headline;
  const lastPosition = String(brand.maskCount);
  return (
    <SitePage className="landing" action={<JoinCue />} referral={referral} isMusicTried>
      <main>
        <BannerSlot referral={referral} isReferralActive={isReferralActive} />
        <div className="landing-stage">
          <h1 className="landing-headline">
            {firstLine} <span>{secondLine}</span>
          </h1>
          <LandingMask />
          <div className="landing-column">
            <p className="landing-tagline">{brand.copy.tagline}</p>
            <SizeList />
            {children}
            <h2>{brand.copy.facesTitle}</h2>
          </div>
        </div>
        <Faces />
        <section className="landing-meter" aria-labelledby="mask-meter">
          <div className="label meter-caption">
            <span aria-hidden="true">{'1'.padStart(lastPosition.length, '0')}</span>
            <h2 className="label" id="mask-meter">
              {brand.copy.meterTitle}
            </h2>
            <span aria-hidden="true">{lastPosition}</span>
          </div>
          <MaskMeter />
        </section>
        <HowTheLineWorks />
      </main>
    </SitePage>
  );
}
