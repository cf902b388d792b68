import { afterAll, expect, test } from 'vitest';
import { brand as ownBrand } from '../brand/brand.ts';
import { formsOf, MAIL_SHAPES, type NewsKind } from '../brand/mail-shape.ts';
import { OFFER_STATES } from '../contract/drop/states.ts';
import type { NextFreeze } from './drop/schedule/schedule.ts';
import type { MailedEntry, MailedOffer } from './drop/views/drop-mails.ts';
import { type Composing, kindOf, type MailRequest } from './line/mails/mail-kinds.ts';
import { mailKinds } from './mail-kinds.ts';

const memberId = 'm';
const recipient = { position: 101, referralCount: 3, referralCode: 'c', isConfirmed: true };
const tiers = [3, 10].map((requiredReferrals) => ({
  requiredReferrals,
  reward: `${requiredReferrals}`,
  kind: 'plain' as const,
}));
const brand = { ...ownBrand, tiers, maskCount: 100, language: 'en' };
const links = {
  status: 'https://line.example.com/thank-you/m',
  invite: 'https://line.example.com/invite/c',
  confirm: 'https://line.example.com/confirm/token',
  offer: 'https://line.example.com/thank-you/m#offer=token',
  reward: (level: number | 'mask') => `https://line.example.com/rewards/token/${level}`,
};
const composed = new Set<string>();
const FREEZE: NextFreeze = { state: 'open', at: null, publicAt: null, timeZone: 'UTC' };

function compose<Request extends MailRequest>(
  request: Request,
  changed: Partial<Composing<Request, unknown>> = {},
) {
  const loaded = request.kind === 'top100' ? FREEZE : null;
  const mail = { request, recipient, brand, links, loaded, referralCredit: 'settle' as const };
  const content = kindOf(mailKinds, request).compose({ ...mail, ...changed });
  if (content === null || 'blocks' in content) return null;
  const { kind, form = '', values, terms } = content;
  const named = Object.keys(formsOf(MAIL_SHAPES[kind as NewsKind])[form] ?? {});
  const known = Object.keys({ ...values, ...(terms && { terms }) });
  expect(known, kind).toEqual(expect.arrayContaining(named));
  composed.add(kind);
  return content;
}

test('a welcome has the position', () => {
  expect(compose({ kind: 'welcome', memberId })).toMatchObject({ values: { position: 101 } });
});

test('the numbers are current when the mail is sent', () => {
  expect(compose({ kind: 'friends', memberId, newFriends: 2 })).toEqual({
    kind: 'friends',
    values: { newFriends: 2, referralCount: 3, position: 101 },
    facts: { friends: 3, position: 101, nextReward: '10' },
    before: null,
  });
  expect(compose({ kind: 'top100', memberId, isInside: false })).toMatchObject({
    form: 'left',
    values: { placesToGo: 1, position: 101 },
  });
});

test.each([
  [{ kind: 'confirm', memberId }, 'has confirmed meanwhile'],
  [{ kind: 'tier', memberId, level: 2 }, 'has lost the tier again'],
  [{ kind: 'reward', memberId, level: 2 }, 'has lost the tier again'],
  [{ kind: 'top100', memberId, isInside: true }, 'was overtaken again'],
] as const)('%j is not sent to a member who %s', (request, _state) => {
  expect(compose(request)).toBeNull();
});

test.each([
  [{ kind: 'confirm', memberId }, { isConfirmed: false }],
  [{ kind: 'tier', memberId, level: 1 }, {}],
  [{ kind: 'reward', memberId, level: 1 }, {}],
  [{ kind: 'top100', memberId, isInside: true }, { position: 100 }],
] as const)('%j is sent while it is true', (request, state) => {
  expect(compose(request, { recipient: { ...recipient, ...state } })).toMatchObject({
    kind: request.kind,
  });
});

test('a reminder to confirm names a public day, and is not sent once the line is frozen', () => {
  const friend = { ...recipient, isConfirmed: false };
  const at = new Date('2031-05-04T10:00:00Z');
  const freeze = { ...FREEZE, at, publicAt: at, timeZone: 'Europe/Berlin' };
  const remind = (changed: object, to = friend) =>
    compose(
      { kind: 'confirm-reminder', memberId },
      { recipient: to, loaded: { ...freeze, ...changed } },
    );
  expect(remind({})).toEqual({
    kind: 'confirm-reminder',
    form: 'dated',
    values: { freezesAt: expect.stringMatching(/^May 4 at 12:00\sPM GMT\+2$/) },
    action: links.confirm,
  });
  expect(remind({ publicAt: null })).toMatchObject({ form: 'undated', values: {} });
  expect(remind({ state: 'frozen' })).toBeNull();
  expect(remind({}, recipient)).toBeNull();
});

test('a code is mailed also to a member who has lost the tier, and never without a code', () => {
  const request = { kind: 'reward-code', memberId, level: 2 } as const;
  expect(compose(request)).toBeNull();
  expect(compose(request, { loaded: 'GIFT-1' })).toEqual({
    kind: 'reward-code',
    values: { reward: '10', code: 'GIFT-1' },
  });
});

test('a request for the status link brings the confirmation link if a credit waits for it', () => {
  const kindFor = (isConfirmed: boolean, referralCredit: 'confirm' | 'settle') =>
    compose(
      { kind: 'status-link', memberId },
      { recipient: { ...recipient, isConfirmed }, referralCredit },
    )?.kind;
  expect(kindFor(false, 'confirm')).toBe('confirm');
  expect(kindFor(true, 'confirm')).toBe('status-link');
  expect(kindFor(false, 'settle')).toBe('status-link');
});

test('the top is as large as the number of masks', () => {
  const enter = (position: number) =>
    compose(
      { kind: 'top100', memberId, isInside: true },
      { recipient: { ...recipient, position }, brand: { ...brand, maskCount: 60 } },
    );
  expect(enter(60)).not.toBeNull();
  expect(enter(61)).toBeNull();
});

const OFFER: MailedOffer = {
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
};

test('an offer says until when it stands, in the time zone of the drop', () => {
  const request = { kind: 'offer', memberId, offerId: 'o' } as const;
  expect(compose(request)).toBeNull();
  expect(compose(request, { loaded: OFFER })).toMatchObject({
    kind: 'offer',
    values: {
      size: 'Small',
      until: expect.stringMatching(/^November 23 at 12:30\sAM GMT\+1$/),
    },
    action: links.offer,
    terms: { price: '€99.00', payHours: 24, payBy: null, needsCode: false },
  });
});

test('a pass says until when it is paid, and what it costs, where that is known', () => {
  const say = (more: object) =>
    compose(
      { kind: 'pass', memberId, offerId: 'o' },
      { loaded: { ...OFFER, state: 'accepted', ...more } },
    );
  expect(say({})).toMatchObject({
    terms: { price: '€99.00', payHours: null, payBy: expect.stringContaining('November 23') },
  });
  expect(say({ cost: null, payHours: null, needsCode: true })).toMatchObject({
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
  for (const state of OFFER_STATES) {
    const mail = compose({ kind, memberId, offerId: 'o' }, { loaded: { ...OFFER, state } });
    expect(mail?.kind).toBe(state === right ? kind : undefined);
  }
});

const ENTRY: MailedEntry = {
  state: null,
  why: null,
  timeZone: 'UTC',
  expiresAt: OFFER.expiresAt,
  mayEnter: true,
  cost: OFFER.cost,
};

test.each([
  ['enter', { mayEnter: true }, { mayEnter: false }],
  ['enter-reminder', { mayEnter: false, state: 'created' }, { mayEnter: false, state: 'held' }],
  ['entered', { state: 'held' }, { state: 'created' }],
  ['entry-over', { state: 'released', why: 'lapsed' }, { state: 'released', why: 'withdrawn' }],
] as const)('the mail %s is sent about a card while it is true', (kind, right, wrong) => {
  const say = (more: object) => compose({ kind, memberId }, { loaded: { ...ENTRY, ...more } });
  expect(say(right)).toMatchObject({ kind, values: { price: '€99.00' }, action: links.offer });
  expect(say(wrong)).toBeNull();
  expect(compose({ kind, memberId })).toBeNull();
});

test('a mail about a released card says why, and whether the member may enter again', () => {
  const { lapsed, again } = brand.mails.entryReasons;
  const reasonOf = (canEnter: boolean) =>
    compose(
      { kind: 'entry-over', memberId },
      { loaded: { ...ENTRY, state: 'released', why: 'lapsed', mayEnter: canEnter } },
    )?.values.reason;
  expect(reasonOf(true)).toBe(`${lapsed} ${again}`);
  expect(reasonOf(false)).toBe(lapsed);
});

test('a kind that a newer program queued is an error, not an empty mail', () => {
  const request = { kind: 'riddle', memberId } as unknown as MailRequest;
  expect(() => compose(request)).toThrow('a newer one');
});

test('nobody enters or leaves the hundred while the order is fixed', () => {
  const kindAt = (state: NextFreeze['state']) =>
    compose({ kind: 'top100', memberId, isInside: false }, { loaded: { ...FREEZE, state } })?.kind;
  expect(kindAt('open')).toBe('top100');
  for (const state of ['frozen', 'selected', 'offering', 'closed'] as const)
    expect(kindAt(state)).toBeUndefined();
});

test.each([
  [true, 'waiting'],
  [false, 'over'],
])('who was not chosen reads whether a mask may still come: %s', (canReturn, form) => {
  expect(compose({ kind: 'not-chosen', memberId }, { loaded: canReturn })).toEqual({
    kind: 'not-chosen',
    form,
    values: { position: 101 },
  });
});

test('a mail about a tier shows its reward', () => {
  const shirt = tiers.map((tier, index) => ({
    ...tier,
    ...(index === 0 && { picture: 'shirt' as const }),
  }));
  const shownOf = (level: number) =>
    compose(
      { kind: 'tier', memberId, level },
      { recipient: { ...recipient, referralCount: 10 }, brand: { ...brand, tiers: shirt } },
    );
  // How many friends a tier needs is a secret.
  expect(shownOf(1)).toEqual({
    kind: 'tier',
    values: { level: 1, reward: '3' },
    facts: { nextReward: undefined },
    shown: { picture: 'shirt', alt: '3' },
  });
  expect(shownOf(2)).toMatchObject({ shown: { picture: 'ticket', alt: '10' } });
});

/** Tests run in any order, so that no test can be the last. */
afterAll(() => {
  expect(composed, 'every kind is composed here').toEqual(new Set(Object.keys(MAIL_SHAPES)));
});
