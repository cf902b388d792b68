import './landing.css';
import {
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useState,
} from 'react';
import { brand } from '../../../brand/brand.ts';
import { fillPath, pagePaths } from '../../../contract/paths.ts';
import { UNKNOWN_CODE } from '../../../contract/plain-invite.ts';
import type { JoinedMember } from '../../api/answer-shapes.ts';
import type { ApiError } from '../../api/api-error.ts';
import { memberStorage } from '../../browser/storage.ts';
import { landingPath, useReferralCode } from '../../browser/use-referral-code.ts';
import type { PageProps, PrerenderedState } from '../../prerendered-state.ts';
import { toasts } from '../../toasts.ts';
import { Banner } from '../../ui/banner.tsx';
import { writeNumber } from '../../ui/numerals/write-number.ts';
import { toastStore } from '../../ui/toast/toast-store.ts';
import { untilIdle } from '../../ui/when-idle.ts';
import { useAsyncEffect } from '../../use-async-effect.ts';
import { BelowForm } from '../parts/below-form.tsx';
import { EMAIL_FIELD_ID, JoinForm } from '../parts/join-form.tsx';
import { MaskMeter } from '../parts/mask-meter.tsx';
import { SitePage } from '../parts/site-page.tsx';
import { SizeList } from '../parts/size-list.tsx';
import { LandingMask } from './landing-mask.tsx';

export function LandingPage({ prerendered }: PageProps) {
  const { code, isActive } = useReferral(prerendered);
  return (
    <LandingView referral={code} isReferralActive={isActive}>
      <JoinForm
        page="landing"
        referredBy={code}
        prerendered={prerendered}
        submitLabel="SECURE YOUR SPOT"
      />
    </LandingView>
  );
}

type LandingViewProps = {
  readonly referral: string | null;
  readonly isReferralActive: boolean | null;
  readonly children: ReactNode;
};

export function LandingView({ referral, isReferralActive, children }: LandingViewProps) {
  const [firstLine, secondLine] = brand.copy.headline;
  const lastPosition = String(brand.maskCount);
  const returning = useReturningMember(referral);
  return (
    <SitePage
      className="landing"
      action={<JoinCue place={returning?.place} />}
      referral={referral}
      isMusicTried
    >
      <main>
        <noscript>{import.meta.env.SSR && UNKNOWN_CODE}</noscript>
        <BannerSlot returning={returning} isReferralActive={isReferralActive} />
        <div className="landing-stage">
          <h1 className="landing-headline">
            {firstLine} <span>{secondLine}</span>
          </h1>
          <LandingMask />
          <div className="stack landing-column">
            <p className="landing-tagline">{brand.copy.tagline}</p>
            <div className="landing-edition">
              <SizeList />
              <LineCount />
            </div>
            {children}
          </div>
        </div>
        <BelowForm>
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
        </BelowForm>
      </main>
    </SitePage>
  );
}

/** A short line invites nobody. */
const SHOWN_FROM = 100;

/** Stands beside the sizes, so that it shifts nothing when it arrives. */
function LineCount() {
  const [members, setMembers] = useState(0);

  useAsyncEffect(async (signal) => {
    await untilIdle();
    // The page is complete without the number.
    const stats = await import('../../api/waitlist.ts')
      .then(({ getStats }) => getStats({ signal }))
      .catch(() => null);
    if (stats) setMembers(stats.total_signups);
  }, []);

  return (
    members >= SHOWN_FROM && (
      <p className="line-count">
        <span>{writeNumber(members)}</span> in line
      </p>
    )
  );
}

/** In the history entry of the page: an invite page led here, and said that its code is invalid. */
export type LandingState = { readonly isInviteRefused: boolean };

/** `isActive`: the page promises a better position; false if the code is known to be invalid. */
function useReferral({ referral, isReferralValid }: PrerenderedState): {
  readonly code: string | null;
  readonly isActive: boolean | null;
} {
  const code = useReferralCode(referral);
  const [isActive, setActive] = useState<boolean | null>(isReferralValid || null);

  useAsyncEffect(
    async (signal) => {
      if ((history.state as LandingState | null)?.isInviteRefused) setActive(false);
      if (code === null) return;
      const isPromised = isReferralValid || !(await isRefused(code, signal));
      if (signal.aborted) return;
      setActive(isPromised);
      if (isPromised) toastStore.show(toasts.referralDetected);
    },
    [code, isReferralValid],
  );

  return { code, isActive };
}

/** The code may be valid when no answer came, or there were too many questions. */
async function isRefused(code: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { verifyReferral } = await import('../../api/waitlist.ts');
    return !(await verifyReferral(code, { signal })).valid;
  } catch (error) {
    return (error as ApiError).status === 404;
  }
}

/** The form counts as in view once its field stands clear of the bar. */
const BEHIND_BAR = '0px 0px -160px';

/**
 * A link to the e-mail field, or to the place of who has joined, works without script. On phones it
 * is a bar at the bottom.
 */
function JoinCue({ place }: { readonly place: string | undefined }) {
  const isFormInView = useIsFormInView();

  function press(event: SyntheticEvent): void {
    event.preventDefault();
    focusField();
  }

  /** Space presses a button, but scrolls on a link. */
  function pressBySpace(event: KeyboardEvent): void {
    if (event.key === ' ') press(event);
  }

  const action = place
    ? { href: place, children: 'See your place' }
    : {
        // A button element does nothing before hydration.
        role: 'button',
        href: `#${EMAIL_FIELD_ID}`,
        onClick: press,
        onKeyDown: pressBySpace,
        children: 'JOIN THE WAITLIST',
      };
  return <a className="pill join-cue" data-hidden={isFormInView} {...action} />;
}

function focusField(): void {
  const field = document.getElementById(EMAIL_FIELD_ID);
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}

function useIsFormInView(): boolean {
  const [isInView, setIsInView] = useState(false);

  useEffect(() => {
    const form = document.getElementById(EMAIL_FIELD_ID)?.closest('form');
    if (!form) return;
    const observer = new IntersectionObserver(
      (entries) => setIsInView(entries.at(-1)?.isIntersecting ?? false),
      { rootMargin: BEHIND_BAR },
    );
    observer.observe(form);
    return () => observer.disconnect();
  }, []);

  return isInView;
}

type Returning = {
  readonly place: string;
  readonly position: number | undefined;
  /** Another person joins at the same device. */
  readonly joinAsAnother: () => void;
};

function useReturningMember(referral: string | null): Returning | null {
  const [member, setMember] = useState<Pick<JoinedMember, 'id' | 'position'> | null>(null);

  // The stored position is that of the last visit.
  useAsyncEffect(async (signal) => {
    const id = memberStorage.read()?.id;
    if (id === undefined) return;
    setMember({ id });
    await untilIdle();
    try {
      const { getStatus } = await import('../../api/waitlist.ts');
      const fresh = await getStatus(id, { signal });
      // Null after "Not you?".
      setMember((shown) => shown && fresh);
    } catch (error) {
      if ((error as ApiError).status === 404) memberStorage.clear();
    }
  }, []);

  /** The focused button disappears with the member, so the focus moves on. */
  function joinAsAnother(): void {
    memberStorage.clear();
    setMember(null);
    focusField();
  }

  const query = landingPath(referral).slice(pagePaths.landing.length);
  return (
    member && {
      place: fillPath(pagePaths.status, member.id) + query,
      position: member.position,
      joinAsAnother,
    }
  );
}

type BannerSlotProps = {
  readonly returning: Returning | null;
  readonly isReferralActive: boolean | null;
};

function BannerSlot({ returning, isReferralActive }: BannerSlotProps) {
  return (
    <div className="banner-slot">
      {isReferralActive === null && returning === null && (
        <p className="label">
          <span>Limited edition</span>
          <span>No restocks</span>
        </p>
      )}
      {isReferralActive === false && (
        <Banner tone="plain">
          <span role="status">{UNKNOWN_CODE}</span>
        </Banner>
      )}
      {isReferralActive && (
        <Banner tone="charged">Referral Active - Better Position Guaranteed!</Banner>
      )}
      {returning && (
        <Banner tone="plain">
          <div className="welcome">
            <a href={returning.place}>
              {`Welcome back, ${brand.specified.memberName}${
                returning.position === undefined ? '' : ` #${writeNumber(returning.position)}`
              }`}
            </a>
            <button type="button" onClick={returning.joinAsAnother}>
              Not you?
            </button>
          </div>
        </Banner>
      )}
    </div>
  );
}
