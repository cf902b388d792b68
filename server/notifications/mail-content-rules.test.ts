import { expect, test } from 'vitest';
import { OFFER_STATES } from '../../contract/drop/states.ts';
import type { NextFreeze } from '../drop/schedule/schedule.ts';
import type { NewsRequest } from './delivery/queue.ts';
import { imagePathOf, mailContent } from './mail-content-rules.ts';

const memberId = 'm';
const recipient = { position: 101, referralCount: 3, isConfirmed: true };
const tiers = [3, 10].map((requiredReferrals) => ({
  requiredReferrals,
  reward: `${requiredReferrals}`,
  kind: 'plain' as const,
}));
const options = {
  tiers,
  maskCount: 100,
  confirmLink: 'https://line.example.com/confirm/token',
  rewardLink: (level: number | 'mask') => `https://line.example.com/rewards/token/${level}`,
  isConfirmationNeeded: false,
  language: 'en',
  offer: null,
  entry: null,
  rewardCode: null,
  freeze: { state: 'open', at: null, publicAt: null, timeZone: 'UTC' } as NextFreeze,
  canReturn: false,
  offerLink: 'https://line.example.com/thank-you/m#offer=token',
};

test('the numbers are current when the mail is sent', () => {
  expect(mailContent({ kind: 'friends', memberId, newFriends: 2 }, recipient, options)).toEqual({
    kind: 'friends',
    newFriends: 2,
    referralCount: 3,
    position: 101,
    nextTier: tiers[1],
  });
  expect(
    mailContent({ kind: 'top100', memberId, isInside: false }, recipient, options),
  ).toMatchObject({ position: 101 });
});

test.each([
  [{ kind: 'confirm', memberId }, 'has confirmed meanwhile'],
  [{ kind: 'tier', memberId, level: 2 }, 'has lost the tier again'],
  [{ kind: 'reward', memberId, level: 2 }, 'has lost the tier again'],
  [{ kind: 'top100', memberId, isInside: true }, 'was overtaken again'],
] as const)('%j is not sent to a member who %s', (request, _state) => {
  expect(mailContent(request, recipient, options)).toBeNull();
});

test.each([
  [{ kind: 'confirm', memberId }, { isConfirmed: false }],
  [{ kind: 'tier', memberId, level: 1 }, {}],
  [{ kind: 'reward', memberId, level: 1 }, {}],
  [{ kind: 'top100', memberId, isInside: true }, { position: 100 }],
] as const)('%j is sent while it is true', (request, state) => {
  expect(mailContent(request, { ...recipient, ...state }, options)).toMatchObject({
    kind: request.kind,
  });
});

test('a reminder to confirm names a public day, and is not sent once the line is frozen', () => {
  const request = { kind: 'confirm-reminder', memberId } as const;
  const friend = { ...recipient, isConfirmed: false };
  const at = new Date('2031-05-04T10:00:00Z');
  const freeze = { state: 'open' as const, at, publicAt: at, timeZone: 'Europe/Berlin' };
  const remind = (changed: object, to = friend) =>
    mailContent(request, to, { ...options, freeze: { ...freeze, ...changed } });
  expect(remind({})).toMatchObject({
    freezesAt: expect.stringMatching(/^May 4 at 12:00\sPM GMT\+2$/),
    confirmLink: options.confirmLink,
  });
  expect(remind({ publicAt: null })).toMatchObject({ freezesAt: null });
  expect(remind({ state: 'frozen' })).toBeNull();
  expect(remind({}, recipient)).toBeNull();
});

test('a code is mailed also to a member who has lost the tier, and never without a code', () => {
  const request = { kind: 'reward-code', memberId, level: 2 } as const;
  expect(mailContent(request, recipient, options)).toBeNull();
  expect(mailContent(request, recipient, { ...options, rewardCode: 'GIFT-1' })).toEqual({
    kind: 'reward-code',
    reward: '10',
    code: 'GIFT-1',
  });
});

test('a request for the status link brings the confirmation link if a credit waits for it', () => {
  const request = { kind: 'status-link', memberId } as const;
  const kindFor = (isConfirmed: boolean, isConfirmationNeeded: boolean) =>
    mailContent(request, { ...recipient, isConfirmed }, { ...options, isConfirmationNeeded })?.kind;
  expect(kindFor(false, true)).toBe('confirm');
  expect(kindFor(true, true)).toBe('status-link');
  expect(kindFor(false, false)).toBe('status-link');
});

test('the top is as large as the number of masks', () => {
  const entered = { kind: 'top100', memberId, isInside: true } as const;
  const sixty = { ...options, maskCount: 60 };
  expect(mailContent(entered, { ...recipient, position: 60 }, sixty)).not.toBeNull();
  expect(mailContent(entered, { ...recipient, position: 61 }, sixty)).toBeNull();
});

const offer = {
  state: 'open',
  size: 'Small',
  expiresAt: new Date('2026-11-22T23:30:00Z'),
  timeZone: 'Europe/Berlin',
  carrier: null,
  tracking: null,
  times: null,
  cost: { cents: 9_900, currency: 'EUR' },
  payHours: 24,
  needsCode: false,
} as const;

test('an offer says until when it stands, in the time zone of the drop', () => {
  const request = { kind: 'offer', memberId, offerId: 'o' } as const;
  expect(mailContent(request, recipient, options)).toBeNull();
  expect(mailContent(request, recipient, { ...options, offer })).toEqual({
    kind: 'offer',
    size: 'Small',
    until: expect.stringMatching(/^November 23 at 12:30\sAM GMT\+1$/),
    offerLink: options.offerLink,
    terms: { price: '€99.00', payHours: 24, payBy: null, needsCode: false },
  });
});

test('a pass says until when it is paid, and what it costs, where that is known', () => {
  const request = { kind: 'pass', memberId, offerId: 'o' } as const;
  const termsOf = (more: object) =>
    mailContent(request, recipient, {
      ...options,
      offer: { ...offer, state: 'accepted', ...more },
    });
  expect(termsOf({})).toMatchObject({
    terms: { price: '€99.00', payHours: null, payBy: expect.stringContaining('November 23') },
  });
  expect(termsOf({ cost: null, payHours: null, needsCode: true })).toMatchObject({
    terms: { price: null, payHours: null, payBy: null, needsCode: true },
  });
});

test.each([
  ['offer', 'open'],
  ['offer-reminder', 'open'],
  ['pass', 'accepted'],
  ['pay-reminder', 'accepted'],
  ['pass-unpaid', 'cancelled'],
  ['pass-cancelled', 'cancelled'],
  ['pass-paid', 'paid'],
  ['mask-address', 'paid'],
  ['mask-sent', 'sent'],
  ['offer-ended', 'expired'],
] as const)('the mail %s is true of an offer that is %s alone', (kind, right) => {
  const request = { kind, memberId, offerId: 'o' };
  for (const state of OFFER_STATES)
    expect(mailContent(request, recipient, { ...options, offer: { ...offer, state } })?.kind).toBe(
      state === right ? kind : undefined,
    );
});

test('a kind that a newer program queued is an error, not an empty mail', () => {
  const request = { kind: 'riddle', memberId } as unknown as NewsRequest;
  expect(() => mailContent(request, recipient, options)).toThrow('a newer one');
});

test('nobody enters or leaves the hundred while the order is fixed', () => {
  const request = { kind: 'top100', memberId, isInside: false } as const;
  const kindAt = (state: NextFreeze['state']) =>
    mailContent(request, recipient, { ...options, freeze: { ...options.freeze, state } })?.kind;
  expect(kindAt('open')).toBe('top100');
  for (const state of ['frozen', 'selected', 'offering', 'closed'] as const)
    expect(kindAt(state)).toBeUndefined();
});

test.each([true, false])(
  'who was not chosen reads whether a mask may still come: %s',
  (canReturn) => {
    expect(
      mailContent({ kind: 'not-chosen', memberId }, recipient, { ...options, canReturn }),
    ).toEqual({ kind: 'not-chosen', position: 101, canReturn });
  },
);

test('a mail about a tier shows its reward, and every other the face of the member', () => {
  const from = {
    tiers: tiers.map((tier, index) => ({ ...tier, ...(index === 0 && { picture: 'shirt' }) })),
    code: 'GH05T1GH05',
    artVersion: '1',
  } as Parameters<typeof imagePathOf>[1];
  const tier = (level: number) => ({ kind: 'tier', level, reward: '', nextTier: null }) as const;
  expect(imagePathOf(tier(1), from)).toBe('/invite/GH05T1GH05/reward/shirt/1.jpg');
  expect(imagePathOf(tier(2), from)).toBe('/invite/GH05T1GH05/reward/ticket/1.jpg');
  expect(imagePathOf({ kind: 'reward-code', reward: '', code: '' }, from)).toBe(
    '/invite/GH05T1GH05/ghost/1.jpg',
  );
});
