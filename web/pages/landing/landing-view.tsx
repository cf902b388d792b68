import './landing.css';
import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { HundredMeter } from '../parts/hundred-meter.tsx';
import { SiteFooter } from '../parts/site-footer.tsx';
import { SiteHeader } from '../parts/site-header.tsx';
import { SizeList } from '../parts/size-list.tsx';
import { HowTheLineWorks } from './how-the-line-works.tsx';
import { JoinCue } from './join-cue.tsx';
import { LandingMask } from './landing-mask.tsx';
import { LandingNews } from './landing-news.tsx';

type LandingViewProps = {
  readonly hasReferral: boolean;
  /** The form to join. */
  readonly children: ReactNode;
};

/** What a visitor sees at '/'. */
export function LandingView({ hasReferral, children }: LandingViewProps) {
  return (
    <div className="page landing">
      <SiteHeader isMusicTried>
        <JoinCue />
      </SiteHeader>
      <main>
        <LandingNews hasReferral={hasReferral} />
        <div className="landing-stage">
          <h1 className="landing-headline">
            {brand.copy.headline[0]} <span>{brand.copy.headline[1]}</span>
          </h1>
          <LandingMask />
          <div className="landing-column">
            <p className="landing-tagline">{brand.copy.tagline}</p>
            <SizeList />
            {children}
          </div>
        </div>
        <section className="landing-hundred" aria-labelledby="the-hundred">
          <div className="label hundred-caption">
            <span aria-hidden="true">001</span>
            <h2 className="label" id="the-hundred">
              The Hundred
            </h2>
            <span aria-hidden="true">100</span>
          </div>
          <HundredMeter />
        </section>
        <HowTheLineWorks />
      </main>
      <SiteFooter />
    </div>
  );
}
