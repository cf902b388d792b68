/** Development only: every page state as static HTML, for /dev/ui. */

import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ghostSvg } from '../brand/art/ghost.ts';
import { brand } from '../brand/brand.ts';
import { type LineWords, lineWordsOf } from '../brand/drop-words.ts';
import { stateOf } from '../contract/drop/place-states.ts';
import { MAIL_PAGE_PLACES, MAIL_PAGES, type MailPagePlace } from '../contract/mail-pages.ts';
import type { Member, Stats } from '../contract/schemas.ts';
import { answersIn, type DropState, dropStates, SERVER_NOW } from './dev/sample-drops.ts';
import { memberStates } from './dev/sample-members.ts';
import { InvalidInvite } from './pages/invite/invalid-invite.tsx';
import { InvitePage } from './pages/invite/invite-page.tsx';
import { ValidInvite } from './pages/invite/valid-invite.tsx';
import { LandingPage, LandingView } from './pages/landing/landing-page.tsx';
import mailStyles from './pages/mail/mail-pages.css?inline';
import { mailPage } from './pages/mail/mail-pages.tsx';
import { NotFoundPage } from './pages/not-found/not-found-page.tsx';
import { FormNotes } from './pages/parts/join-form.tsx';
import { placeholder } from './pages/parts/page-without-script.tsx';
import { SitePage } from './pages/parts/site-page.tsx';
import dropStyles from './pages/status/drop/drop.css?inline';
import { DropSection } from './pages/status/drop/drop-section.tsx';
import type { MemberDrop } from './pages/status/drop/member-drop.ts';
import lateStyles from './pages/status/late.css?inline';
import * as lateParts from './pages/status/late-parts.tsx';
import { LoadFailed, MemberNotFound, MemberView } from './pages/status/member-view.tsx';
import statusStyles from './pages/status/status.css?inline';
import { StatusPage } from './pages/status/status-page.tsx';
import { EMPTY_STATE } from './prerendered-state.ts';
import { toasts } from './toasts.ts';
import { Button } from './ui/controls/button.tsx';
import { TextField } from './ui/controls/text-field.tsx';
import { InlineArt } from './ui/inline-art.tsx';

export const moreStyles = statusStyles + lateStyles + dropStyles + mailStyles;

type GalleryFrame = { readonly name: string; readonly html: string };

export async function renderGallery(): Promise<GalleryFrame[]> {
  const location = new URL('https://waitlist.example');
  const matchMedia = () => ({ matches: false });
  Object.assign(globalThis, { location, matchMedia, window: globalThis });
  return [
    ...Object.entries(pageStates()).map(([name, element]) => ({
      name,
      html: renderToStaticMarkup(element),
    })),
    ...mailPageStates(CODE, {
      token: 'token',
      email: 'me\u2022\u2022\u2022@example.com',
      position: String(MEMBER.position),
      'member-id': MEMBER.id,
      detail: 'This link has expired.',
      level: '1',
      reward: MEMBER.next_tier?.reward ?? '',
      size: 'Medium',
      until: 'November 22 at 8:00 PM UTC',
    }),
  ];
}

type Samples = Readonly<Record<MailPagePlace, string>>;

function mailPageStates(code: string, samples: Samples): GalleryFrame[] {
  return MAIL_PAGES.map((name) => {
    const html = MAIL_PAGE_PLACES.reduce(
      (text, place) => text.replaceAll(placeholder(place), samples[place]),
      renderToStaticMarkup(mailPage(name)),
    );
    const filled = html
      .replaceAll(placeholder('ghost'), ghostSvg(code))
      .replaceAll(placeholder('choices'), '<p>7K3M-PQ9X-HT2F-W8RA</p>');
    return { name: `Mail, ${name}`, html: filled };
  });
}

const CODE = 'GH05T1GH05';
const STATS = { total_signups: 2417, available_masks: 97, top_referrers: [{ referrals: 104 }] };

const MEMBER: Member = {
  id: '3f0f5a52-2a52-4f0e-9d3e-6f5f3b1d2c11',
  email: 'member@example.com',
  referral_code: CODE,
  position: 128,
  referral_count: 1,
  joined_referrals: 1,
  confirmed_referrals: 1,
  settled_referrals: 1,
  is_confirmed: true,
  tier_level: 0,
  next_tier: { required_referrals: 3, reward: brand.tiers[0]?.reward ?? '' },
  rewards_unlocked: [],
};

/** The real pages with sample data. States that need a running script are put together by hand. */
function pageStates(): Readonly<Record<string, ReactNode>> {
  const props = { param: CODE, prerendered: EMPTY_STATE };
  const refused = {
    ...EMPTY_STATE,
    formMessage: toasts.alreadyRegistered.description ?? '',
    formValue: MEMBER.email,
  };
  const invalid = toasts.invalidInvite.description ?? '';
  const unverified = toasts.verificationFailed.description ?? '';
  return {
    Landing: <LandingPage {...props} />,
    'Landing, refused': <LandingPage {...props} prerendered={refused} />,
    'Landing with a referral': (
      <LandingView referral={CODE} isReferralActive>
        {form('SECURE YOUR SPOT')}
      </LandingView>
    ),
    'Landing, joining': inLanding(form('JOINING...')),
    'Landing, joining when risk is raised': inLanding(form('JOINING...', brand.copy.proofNote)),
    'Invite, verifying': <InvitePage {...props} />,
    Invite: inInvite(
      <ValidInvite
        inviterEmail="alex.morgan@example.com"
        referral={CODE}
        prerendered={EMPTY_STATE}
      />,
      '',
    ),
    'Invite, invalid': inInvite(<InvalidInvite reason={invalid} />, 'face-unlit'),
    'Invite, not verified': inInvite(
      <InvalidInvite reason={unverified} unverified={CODE} onRetry={() => undefined} />,
      'face-unlit',
    ),
    'Status, loading': <StatusPage {...props} />,
    Status: inPage(memberView()),
    'Status, without the numbers': inPage(memberView({}, null)),
    ...Object.fromEntries(
      Object.entries(memberStates).map(([name, member]) => [
        `Status, ${name}`,
        inPage(memberView(member)),
      ]),
    ),
    'Status, not found': inPage(<MemberNotFound />),
    'Status, not loaded': inPage(<LoadFailed retry={<Button>Retry</Button>} />),
    ...Object.fromEntries(
      dropStates.map((state) => {
        const drop = dropIn(state);
        return [
          `Status, ${state.name}`,
          inPage(
            <>
              <DropSection member={MEMBER} drop={drop} />
              {memberView(
                {},
                STATS,
                lineWordsOf(drop.place, stateOf(drop.place, drop.offer) === 'pass'),
              )}
            </>,
          ),
        ];
      }),
    ),
    'Not found': <NotFoundPage />,
  };
}

function memberView(
  own: Partial<Member> = {},
  stats: Stats | null = STATS,
  words: LineWords | null = null,
): ReactNode {
  return (
    <MemberView
      member={{ ...MEMBER, ...own }}
      stats={stats}
      words={words}
      code={CODE}
      parts={lateParts}
    />
  );
}

function form(label: 'SECURE YOUR SPOT' | 'JOINING...', progress = ''): ReactNode {
  const isJoining = label === 'JOINING...';
  return (
    <div className="stack join-form">
      <TextField
        id="email"
        label="Email"
        placeholder="you@domain.com"
        message=""
        progress={progress}
        isInvalid={false}
        defaultValue={isJoining ? MEMBER.email : ''}
        disabled={isJoining}
      />
      <Button isBusy={isJoining}>{label}</Button>
      <FormNotes />
    </div>
  );
}

function inLanding(children: ReactNode): ReactNode {
  return (
    <LandingView referral={null} isReferralActive={null}>
      {children}
    </LandingView>
  );
}

function inPage(children: ReactNode): ReactNode {
  return (
    <SitePage>
      <main>{children}</main>
    </SitePage>
  );
}

function inInvite(children: ReactNode, light: string): ReactNode {
  return inPage(
    <div className="stack invite">
      <figure className={`invite-face ${light}`}>
        <InlineArt id="ghost" draw={() => ghostSvg(CODE)} />
      </figure>
      <div className="stack invite-text">{children}</div>
    </div>,
  );
}

function dropIn(state: DropState): MemberDrop {
  const { hasLink = false, entryLink = null } = state;
  const { place, own, looked } = answersIn(state);
  return {
    place,
    offer: hasLink ? own : looked,
    canAct: hasLink,
    entryLink,
    linkProblem: '',
    now: SERVER_NOW,
    receivedAt: performance.now(),
  };
}
