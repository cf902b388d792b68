import { expect, test } from 'vitest';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { describeQuiet, describeWait } from './offer-words.ts';

const NONE = {
  open: 0,
  accepted: 0,
  paid: 0,
  handed_over: 0,
  sent: 0,
  declined: 0,
  expired: 0,
  cancelled: 0,
};
const facts: Pick<DropFacts, 'is_quiet' | 'terms' | 'sizes' | 'following'> = {
  is_quiet: true,
  terms: {
    minutes: 720,
    time_zone: 'UTC',
    quiet_from: '22:00',
    quiet_until: '08:00',
    pay_hours: 24,
  },
  sizes: [
    { ...NONE, size: 'Small', available: 5, held: 3 },
    { ...NONE, size: 'Large', available: -2, held: 0 },
  ],
  following: 12,
};

test('what waits in quiet hours is no more than masks, and members to offer them to', () => {
  expect(describeQuiet(facts)).toBe(
    'Quiet hours until 08:00 (UTC): 3 masks wait to be offered to the next in the draw order.',
  );
  expect(describeQuiet({ ...facts, following: 1 })).toContain(': 1 mask waits to be');
});

test.each([{ is_quiet: false }, { following: 0 }, { sizes: [] }])('nothing waits: %o', (change) => {
  expect(describeQuiet({ ...facts, ...change })).toBeNull();
});

test('a notice says why no mask is offered, and which offers wait for their mail', () => {
  const well = { waits_for: null, paused_at: null, unmailed: 0 } as const;
  expect(describeWait(well)).toBeNull();
  expect(describeWait({ ...well, unmailed: 1 })).toMatch(/^1 offer waits for the mail: /);
  expect(describeWait({ ...well, unmailed: 3, waits_for: 'mail' })).toContain('3 offers wait');
  expect(describeWait({ ...well, waits_for: 'mail' })).toMatch(/so no mask is offered\.$/);
  const paused = { ...well, paused_at: '2026-11-22T20:00:00Z' };
  expect(describeWait({ ...paused, waits_for: 'operator' })).toMatch(/^Offering is paused since /);
  expect(describeWait({ ...paused, waits_for: 'clock' })).toContain('leapt');
});
