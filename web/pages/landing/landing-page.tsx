import './landing.css';
import facesInRows from 'virtual:faces-rows.svg';
import maskStills from 'virtual:mask-stills.svg';
import './how-the-line-works.css';
import {
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useState,
} from 'react';
import { brand } from '../../../brand/brand.ts';
import { product } from '../../../brand/product.ts';
import { fillPath, pagePaths } from '../../../contract/paths.ts';
import { UNKNOWN_CODE } from '../../../contract/plain-invite.ts';
import type { JoinedMember } from '../../api/answer-shapes.ts';
import { ApiError } from '../../api/api-error.ts';
import { memberStorage } from '../../browser/storage.ts';
import { useReferralCode } from '../../browser/use-referral-code.ts';
import type { PageProps, PrerenderedState } from '../../prerendered-state.ts';
import { toasts } from '../../toasts.ts';
import { Banner } from '../../ui/banner.tsx';
import { writeNumber } from '../../ui/numerals/write-number.ts';
import { toastStore } from '../../ui/toast/toast-store.ts';
import { whenIdle } from '../../ui/when-idle.ts';
import { useAsyncEffect } from '../../use-async-effect.ts';
import { EMAIL_FIELD_ID, JoinForm, MailNote } from '../parts/join-form.tsx';
import { MaskMeter } from '../parts/mask-meter.tsx';
import { SitePage } from '../parts/site-page.tsx';
import { SizeList } from '../parts/size-list.tsx';
import { LandingMask } from './landing-mask.tsx';
import { describeLine } from './line-sentences.ts';

export function LandingPage({ prerendered }: PageProps) {
  const { code, isActive } = useReferral(prerendered);
  return (
    <LandingView referral={code} isReferralActive={isActive}>
      <JoinForm
        page="landing"
        referredBy={code}
        prerendered={prerendered}
        submitLabel="SECURE YOUR SPOT"
      >
        <p className="label">{brand.copy.formNote}</p>
        <MailNote />
      </JoinForm>
    </LandingView>
  );
}

type LandingViewProps = BannerSlotProps & {
  readonly children: ReactNode;
};

export function LandingView({ referral, isReferralActive, children }: LandingViewProps) {
  const [firstLine, secondLine] = brand.copy.headline;
  const lastPosition = String(brand.maskCount);
  const late = useLateParts();
  return (
    <SitePage className="landing" action={<JoinCue />} referral={referral} isMusicTried>
      <main>
        <noscript>{import.meta.env.SSR && UNKNOWN_CODE}</noscript>
        <BannerSlot referral={referral} isReferralActive={isReferralActive} />
        <div className="landing-stage">
          <h1 className="landing-headline">
            {firstLine} <span>{secondLine}</span>
          </h1>
          <LandingMask />
          <div className="stack landing-column">
            <p className="landing-tagline">{brand.copy.tagline}</p>
            <SizeList />
            {children}
            <h2>{brand.copy.facesTitle}</h2>
          </div>
        </div>
        <div className="faces">
          {late ? <late.FacesWall /> : <noscript>{import.meta.env.SSR && <PlainFaces />}</noscript>}
        </div>
        <div className="see-it-slot">
          {late ? <late.SeeIt /> : <noscript>{import.meta.env.SSR && <PlainSeeIt />}</noscript>}
        </div>
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

type Late = typeof import('./late-parts.ts');

const untilIdle = () => new Promise<void>((resolve) => whenIdle(resolve));

/** The parts below the first view, once the browser is idle. */
function useLateParts(): Late | null {
  const [loaded, setLoaded] = useState<Late | null>(null);

  useAsyncEffect(async (signal) => {
    await untilIdle();
    const parts = await import('./late-parts.ts').catch(() => null);
    if (!signal.aborted) setLoaded(parts);
  }, []);

  return loaded;
}

function PlainFaces() {
  const { facesAlt } = brand.copy;
  return <img src={facesInRows} width={448} height={288} alt={facesAlt} loading="lazy" />;
}

/** React skips a `noscript` in the browser, which need not have its words. */
function PlainSeeIt() {
  const { title, facts, guide, measure } = product;
  return (
    <>
      <h2>{title}</h2>
      <img src={maskStills} alt="The mask from three sides." loading="lazy" />
      {facts.map(({ name, text }) => text !== '' && <p key={name}>{`${name}: ${text}`}</p>)}
      <p>
        {guide
          .map(({ size, faceCm }) => `${size} ${faceCm.join(' to ')} cm.`)
          .concat(measure)
          .join(' ')}
      </p>
    </>
  );
}

function HowTheLineWorks() {
  return (
    <section className="line-rule" aria-labelledby="line-rule">
      <h2 className="label" id="line-rule">
        How the line works
      </h2>
      <ol>
        {describeLine(brand).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
    </section>
  );
}

/** `isActive`: the page promises a better position; false if the code is known to be invalid. */
function useReferral({ referral, isReferralValid }: PrerenderedState): {
  readonly code: string | null;
  readonly isActive: boolean | null;
} {
  const code = useReferralCode(referral);
  const [isActive, setActive] = useState<boolean | null>(isReferralValid || null);

  useAsyncEffect(
    async (signal) => {
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

/** The code may be valid when no answer came. */
async function isRefused(code: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { verifyReferral } = await import('../../api/waitlist.ts');
    return !(await verifyReferral(code, { signal })).valid;
  } catch (error) {
    return error instanceof ApiError && error.status !== null && error.status < 500;
  }
}

/** The form counts as in view once its field stands clear of the bar. */
const BEHIND_BAR = '0px 0px -160px';

/** A link to the e-mail field works without script. On phones it is a bar at the bottom. */
function JoinCue() {
  const isFormInView = useIsFormInView();

  function focusField(event: SyntheticEvent): void {
    const field = document.getElementById(EMAIL_FIELD_ID);
    if (!field) return;
    event.preventDefault();
    field.scrollIntoView({ block: 'center' });
    field.focus({ preventScroll: true });
  }

  /** Space presses a button, but scrolls on a link. */
  function pressBySpace(event: KeyboardEvent): void {
    if (event.key === ' ') focusField(event);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a button element does nothing before hydration.
    <a
      role="button"
      className="pill join-cue"
      href={`#${EMAIL_FIELD_ID}`}
      data-hidden={isFormInView}
      onClick={focusField}
      onKeyDown={pressBySpace}
    >
      JOIN THE WAITLIST
    </a>
  );
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

type BannerSlotProps = {
  readonly referral: string | null;
  readonly isReferralActive: boolean | null;
};

function BannerSlot({ referral, isReferralActive }: BannerSlotProps) {
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
    document.getElementById(EMAIL_FIELD_ID)?.focus();
  }

  const isEmpty = isReferralActive === null && member === null;
  const query = referral === null ? '' : `?ref=${encodeURIComponent(referral)}`;
  return (
    <div className="banner-slot">
      {isEmpty && (
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
      {member && (
        <Banner tone="plain">
          <div className="welcome">
            <a href={fillPath(pagePaths.status, member.id) + query}>
              {`Welcome back, ${brand.specified.memberName}${
                member.position === undefined ? '' : ` #${writeNumber(member.position)}`
              }`}
            </a>
            <button type="button" onClick={joinAsAnother}>
              Not you?
            </button>
          </div>
        </Banner>
      )}
    </div>
  );
}
