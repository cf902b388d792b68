import { expect, test } from 'vitest';
import { mailContent } from './mail-content-rules.ts';

const memberId = 'm';
const recipient = { position: 101, referralCount: 3, isConfirmed: true };
const tiers = [3, 10].map((requiredReferrals) => ({ requiredReferrals, reward: `${requiredReferrals}` }));
const link = { tiers, confirmLink: 'https://line.example.com/confirm/token', confirmDays: 7, isCreditWaiting: false };

test('numbers are those of the moment of sending', () => {
  expect(mailContent({ kind: 'friends', memberId, newFriends: 2 }, recipient, link)).toEqual({
    kind: 'friends',
    newFriends: 2,
    referralCount: 3,
    position: 101,
    nextTier: tiers[1],
  });
  expect(mailContent({ kind: 'hundred', memberId, isInside: false }, recipient, link)).toMatchObject({ position: 101 });
});

test.each([
  [{ kind: 'confirm', memberId }, 'was confirmed meanwhile'],
  [{ kind: 'tier', memberId, level: 2 }, 'lost the tier again'],
  [{ kind: 'hundred', memberId, isInside: true }, 'was pushed out again'],
] as const)('%j is not sent to a member who %s', (request, _state) => {
  expect(mailContent(request, recipient, link)).toBeNull();
});

test.each([
  [{ kind: 'confirm', memberId }, { isConfirmed: false }],
  [{ kind: 'tier', memberId, level: 1 }, {}],
  [{ kind: 'hundred', memberId, isInside: true }, { position: 100 }],
] as const)('%j is sent where it is true', (request, state) => {
  expect(mailContent(request, { ...recipient, ...state }, link)).toMatchObject({ kind: request.kind });
});

test('who asks for the status link gets the one to confirm with while a credit waits for that', () => {
  const request = { kind: 'status-link', memberId } as const;
  const kindFor = (isConfirmed: boolean, isCreditWaiting: boolean) =>
    mailContent(request, { ...recipient, isConfirmed }, { ...link, isCreditWaiting })?.kind;
  expect(kindFor(false, true)).toBe('confirm');
  expect(kindFor(true, true)).toBe('status-link');
  expect(kindFor(false, false)).toBe('status-link');
});
