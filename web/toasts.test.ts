import { describe, expect, test } from 'vitest';
import { ApiError } from './api/api-error.ts';
import { toastForJoinFailure, toasts } from './toasts.ts';

const FALLBACK = 'Failed to join waitlist';
const failure = (status: number | null, detail: string | null) =>
  new ApiError(FALLBACK, { status, detail });

describe('a join that failed', () => {
  test.each(['landing', 'invite'] as const)(
    'says on the %s page that the address is registered',
    (page) => {
      const known = { status: 409, detail: 'We know you.', code: 'already_registered' } as const;
      const toast = toastForJoinFailure(new ApiError(FALLBACK, known), page);
      expect(toast).toMatchObject({
        title: 'Already registered',
        description:
          'This email is already on the waitlist. Check your email for your status link.',
        variant: 'destructive',
      });
    },
  );

  test.each([
    ['landing', failure(422, 'No such address.'), 'Something went wrong', 'No such address.'],
    ['landing', failure(500, null), 'Something went wrong', 'Please try again later.'],
    ['landing', failure(null, null), 'Something went wrong', 'Please try again later.'],
    ['landing', new Error('a fault of ours'), 'Something went wrong', 'Please try again later.'],
    ['invite', failure(422, 'No such address.'), 'Signup failed', 'No such address.'],
    ['invite', failure(500, null), 'Signup failed', FALLBACK],
    ['invite', failure(null, null), 'Signup failed', 'Please try again later.'],
  ] as const)('on the %s page: %o is %s / %s', (page, error, title, description) => {
    expect(toastForJoinFailure(error, page)).toMatchObject({
      title,
      description,
      variant: 'destructive',
    });
  });
});

test('the sentences are those of docs/behaviour.md', () => {
  const sentences = Object.values(toasts).map(({ title, description }) => [title, description]);
  expect(sentences).toEqual([
    ['Email required', 'Please enter your email to join the waitlist.'],
    [
      'Already registered',
      'This email is already on the waitlist. Check your email for your status link.',
    ],
    ['Welcome to the Ghost Code Network!', undefined],
    ['Link copied!', undefined],
    ['Copy failed', 'Please manually copy the link below.'],
    ['Referral Detected!', undefined],
    ['Error loading data', 'Please refresh the page or try again later.'],
    ['Invalid invite link', "This referral code doesn't exist or has expired."],
    ['Error verifying invite', 'Please try again or use the main signup page.'],
    ['Click to play music', 'Browsers require user interaction to play audio.'],
  ]);
});
