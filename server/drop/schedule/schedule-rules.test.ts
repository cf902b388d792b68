import { expect, test } from 'vitest';
import { describeTime, isTaken, noticeProblem, timeProblem } from './schedule-rules.ts';

const at = (time: string) => new Date(`2026-12-05T${time}:00Z`);
const now = at('12:00');

test('steps are scheduled in the order in which a drop takes them, or for the same time', () => {
  const others = [
    { step: 'announce-draw', due_at: at('15:00') },
    { step: 'start-offers', due_at: at('18:00') },
  ] as const;
  const problem = (time: string) =>
    timeProblem({ step: 'select-entrants', due_at: at(time) }, others, now);
  expect([problem('15:00'), problem('16:00'), problem('18:00')]).toEqual([null, null, null]);
  expect(problem('14:59')).toBe('The draw is announced before that, but is scheduled for later.');
  expect(problem('18:01')).toBe('Masks are offered after that, but is scheduled for earlier.');
  expect(problem('12:00')).toBe('This time is in the past.');
  const far = { step: 'close-drop', due_at: new Date('2027-12-31T00:00:00Z') } as const;
  expect(timeProblem(far, [], now)).toBe('This time is more than a year ahead.');
  const odd = { step: 'close-drop', due_at: new Date('soon') } as const;
  expect(timeProblem(odd, [], now)).toMatch(/^The time must be one such as/);
});

test('a step that the drop has taken differs from one to come', () => {
  const frozen = { state: 'frozen', announced_at: null } as const;
  expect(isTaken('freeze-drop', frozen)).toBe(true);
  expect(isTaken('announce-draw', frozen)).toBe(false);
  expect(isTaken('announce-draw', { ...frozen, announced_at: now })).toBe(true);
  const offering = { state: 'offering', announced_at: now } as const;
  expect([isTaken('start-offers', offering), isTaken('close-drop', offering)]).toEqual([
    true,
    false,
  ]);
  expect(isTaken('close-drop', { state: 'closed', announced_at: null })).toBe(true);
});

test('a round of the beacon comes a while after it is announced', () => {
  expect(noticeProblem(now, at('12:05').toISOString())).toBeNull();
  for (const time of [at('12:04').toISOString(), '2027-01-05T00:00:00Z'])
    expect(noticeProblem(now, time)).toBe(
      'The draw must be 5 min to 30 days after it is announced.',
    );
  for (const time of ['soon', '2026-12-05T13:00:00', '2026-11-31T13:00:00Z', undefined])
    expect(noticeProblem(now, time)).toMatch(/^The draw needs a time such as /);
});

test('a time is described in the zone of the operator and in UTC', () => {
  expect(describeTime(at('17:00'), 'Europe/Berlin')).toBe(
    'Saturday, 5 December 2026 at 18:00 (Europe/Berlin), which is 2026-12-05T17:00:00Z',
  );
});
