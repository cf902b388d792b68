import { expect, test } from 'vitest';
import { drawProblem, mayEnter } from './entry-rules.ts';

const HOUR_MS = 3_600_000;
const isOpen = { is_window_open: true, may_be_drawn: true };
const standing = { drop_state: 'frozen', ...isOpen, state: null, why: null } as const;

test.each([
  ['who has not entered', {}, true],
  ['who is in', { state: 'held' }, false],
  ['whose checkout is open', { state: 'created' }, false],
  ['who has just left a checkout', { state: 'created', why: 'withdrawn' }, true],
  ['whose card was refused', { state: 'released', why: 'duplicate' }, true],
  ['whose card is being released', { state: 'releasing', why: 'duplicate' }, false],
  ['who comes after the window', { is_window_open: false }, false],
  ['whose hold lapsed', { is_window_open: false, state: 'released', why: 'lapsed' }, true],
  [
    'whose hold lapsed before the announcement, after that',
    { is_window_open: false, may_be_drawn: false, state: 'released', why: 'lapsed' },
    false,
  ],
  ['once it is drawn', { drop_state: 'selected' }, false],
] as const)('whether one may enter %s', (_who, more, isAllowed) => {
  expect(mayEnter({ ...standing, ...more })).toBe(isAllowed);
});

test('the draw comes while holds live', () => {
  const frozen = new Date('2031-05-01T08:00:00Z');
  const after = (hours: number) => new Date(frozen.getTime() + hours * HOUR_MS);
  const drop = { frozen_at: frozen, enter_until: after(48) };
  expect(drawProblem(drop, after(120))).toBeNull();
  expect(drawProblem(drop, after(121))).toMatch(/at most 5 days/);
  expect(drawProblem({ ...drop, enter_until: null }, after(121))).toBeNull();
});
