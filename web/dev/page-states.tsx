import type { ReactNode } from 'react';
import { ghostSvg } from '../../brand/art/ghost.ts';
import { brand } from '../../brand/brand.ts';
import type { DropPlaceView } from '../../contract/drop/drop-views.ts';
import type { Member, Stats } from '../../contract/schemas.ts';
import { InvalidInvite } from '../pages/invite/invalid-invite.tsx';
import { InvitePage } from '../pages/invite/invite-page.tsx';
import { ValidInvite } from '../pages/invite/valid-invite.tsx';
import { LandingPage, LandingView } from '../pages/landing/landing-page.tsx';
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx';
import { SitePage } from '../pages/parts/site-page.tsx';
import { DropSection } from '../pages/status/drop/drop-section.tsx';
import type { MemberDrop, ShownOffer } from '../pages/status/drop/member-drop.ts';
import * as lateParts from '../pages/status/late-parts.tsx';
import { LoadFailed, MemberNotFound, MemberView } from '../pages/status/member-view.tsx';
import { StatusPage } from '../pages/status/status-page.tsx';
import { EMPTY_STATE } from '../prerendered-state.ts';
import { toasts } from '../toasts.ts';
import { Button } from '../ui/controls/button.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { InlineArt } from '../ui/inline-art.tsx';

type PageState = { readonly name: string; readonly element: ReactNode };

export const CODE = 'GH05T1GH05';
const STATS = { total_signups: 2417, available_masks: 97, top_referrers: [{ referrals: 41 }] };
const rewards = brand.tiers.map(({ reward }) => reward);

export const MEMBER: Member = {
  id: '3f0f5a52-2a52-4f0e-9d3e-6f5f3b1d2c11',
  email: 'member@example.com',
  referral_code: CODE,
  position: 128,
  referral_count: 1,
  tier_level: 0,
  next_tier: { required_referrals: 3, reward: rewards[0] ?? '' },
  rewards_unlocked: [],
};

/** The real pages with sample data. States that need a running script are put together by hand. */
export function pageStates(): PageState[] {
  const props = { param: CODE, prerendered: EMPTY_STATE };
  const refused = {
    ...EMPTY_STATE,
    formMessage: toasts.alreadyRegistered.description ?? '',
    formValue: MEMBER.email,
  };
  return [
    { name: 'Landing', element: <LandingPage {...props} /> },
    { name: 'Landing, refused', element: <LandingPage {...props} prerendered={refused} /> },
    {
      name: 'Landing with a referral',
      element: (
        <LandingView referral={CODE} isReferralActive>
          {form('SECURE YOUR SPOT')}
        </LandingView>
      ),
    },
    {
      name: 'Landing, joining',
      element: (
        <LandingView referral={null} isReferralActive={false}>
          {form('JOINING...')}
        </LandingView>
      ),
    },
    {
      name: 'Landing, joining when risk is raised',
      element: (
        <LandingView referral={null} isReferralActive={false}>
          {form('JOINING...', brand.copy.proofNote)}
        </LandingView>
      ),
    },
    { name: 'Invite, verifying', element: <InvitePage {...props} /> },
    {
      name: 'Invite',
      element: inInvite(
        <ValidInvite
          inviterEmail="alex.morgan@example.com"
          referral={CODE}
          prerendered={EMPTY_STATE}
        />,
        '',
      ),
    },
    {
      name: 'Invite, invalid',
      element: inInvite(
        <InvalidInvite reason={toasts.invalidInvite.description ?? ''} />,
        'face-unlit',
      ),
    },
    {
      name: 'Invite, not verified',
      element: inInvite(
        <InvalidInvite
          reason={toasts.verificationFailed.description ?? ''}
          unverified={CODE}
          onRetry={() => undefined}
        />,
        'face-unlit',
      ),
    },
    { name: 'Status, loading', element: <StatusPage {...props} /> },
    { name: 'Status', element: inPage(memberView()) },
    {
      name: 'Status, first in line, all tiers',
      element: inPage(
        memberView({
          position: 1,
          referral_count: 104,
          tier_level: brand.tiers.length,
          next_tier: null,
          rewards_unlocked: rewards,
        }),
      ),
    },
    {
      name: 'Status, deep in the line, without the numbers',
      element: inPage(memberView({ position: 12_345_678, tier_level: 3 }, null)),
    },
    {
      name: 'Status, to be confirmed',
      element: inPage(memberView({ is_confirmed: false, pending_referrals: 2 })),
    },
    {
      name: 'Status, not found',
      element: inPage(<MemberNotFound />),
    },
    { name: 'Status, not loaded', element: inPage(<LoadFailed retry={<Button>Retry</Button>} />) },
    ...dropPageStates(MEMBER, (section) =>
      inPage(
        <>
          {section}
          {memberView()}
        </>,
      ),
    ),
    { name: 'Not found', element: <NotFoundPage /> },
  ];
}

function memberView(own: Partial<Member> = {}, stats: Stats | null = STATS): ReactNode {
  return <MemberView member={{ ...MEMBER, ...own }} stats={stats} code={CODE} parts={lateParts} />;
}

function form(label: 'SECURE YOUR SPOT' | 'JOINING...', progress = ''): ReactNode {
  const isJoining = label === 'JOINING...';
  return (
    <div className="join-form">
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
      <p className="label">{brand.copy.formNote}</p>
    </div>
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
    <div className="invite">
      <figure className={`invite-face ${light}`}>
        <InlineArt id="ghost" draw={() => ghostSvg(CODE)} />
      </figure>
      <div className="invite-text">{children}</div>
    </div>,
  );
}

type Sample = {
  readonly name: string;
  readonly place?: Partial<DropPlaceView>;
  readonly offer?: Partial<ShownOffer>;
  readonly canAct?: boolean;
};

const PASS = {
  state: 'accepted',
  code: '7K3M-PQ9X-HT2F-W8RA',
  shop_link: 'https://shop.example.com/discount/7K3M-PQ9X-HT2F-W8RA',
} as const;

const samples: readonly Sample[] = [
  { name: 'frozen', place: { state: 'frozen', place: null, size: null } },
  { name: 'behind the frozen list', place: { state: 'frozen', position: null, place: null } },
  { name: 'chosen', place: { state: 'selected' } },
  { name: 'not chosen', place: { place: 104, size: null } },
  { name: 'offered', offer: {}, canAct: true },
  { name: 'offered, to look at', offer: {} },
  { name: 'pass', offer: PASS, canAct: true },
  { name: 'pass, used', offer: { ...PASS, state: 'redeemed' }, canAct: true },
  { name: 'pass, to look at', offer: { state: 'accepted' } },
  { name: 'declined', offer: { state: 'declined' } },
  { name: 'expired', offer: { state: 'expired' } },
  { name: 'pass cancelled', offer: { state: 'cancelled' } },
  { name: 'drop over', place: { state: 'closed', place: 104, size: null } },
];

/** `show` puts the part about the drop into the page of a member. */
function dropPageStates(
  member: Parameters<typeof DropSection>[0]['member'],
  show: (section: ReactNode) => ReactNode,
) {
  return samples.map(({ name, ...sample }) => ({
    name: `Status, ${name}`,
    element: show(<DropSection member={member} drop={dropOf(sample)} />),
  }));
}

function dropOf({ place, offer, canAct = false }: Omit<Sample, 'name'>): MemberDrop {
  return {
    place: {
      drop: 1,
      state: 'offering',
      position: 12,
      place: 12,
      size: 'Medium',
      ...place,
    },
    offer: offer
      ? {
          drop: 1,
          state: 'open',
          size: 'Medium',
          offered_at: '2031-05-04T08:00:00.000Z',
          expires_at: '2031-05-04T20:00:00.000Z',
          free_sizes: ['Small', 'Large'],
          ...offer,
        }
      : null,
    canAct,
    linkProblem: '',
    now: '2031-05-04T08:17:53.000Z',
    receivedAt: performance.now(),
  };
}
