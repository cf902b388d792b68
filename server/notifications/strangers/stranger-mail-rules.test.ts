import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../durations.ts';
import type { Slot } from '../../line/mails/mail-kinds.ts';
import { mailKinds } from '../../mail-kinds.ts';
import { mayMailFriend, maySend, type StrangerMail, slotOf } from './stranger-mail-rules.ts';

const NOW = new Date('2030-01-15T12:00:00Z');

const mail = (slot: Slot, hoursAgo: number, more: Partial<StrangerMail> = {}): StrangerMail => ({
  jobId: `${slot} ${hoursAgo}`,
  slot,
  claimedAt: new Date(NOW.getTime() - hoursAgo * HOUR_MS),
  isInLine: true,
  ...more,
});
const may = (slot: Slot, before: readonly StrangerMail[], isConfirmed = false) =>
  maySend({ jobId: 'new', slot, isConfirmed }, before, NOW);

test('news waits for a confirmed address; offers and what an operator sends do not', () => {
  const slot = (kind: keyof typeof mailKinds, isConfirmed: boolean, byOperator?: true) =>
    slotOf(mailKinds[kind], { isConfirmed, ...(byOperator && { byOperator }) });
  for (const kind of ['friends', 'tier', 'top100', 'reward', 'not-chosen'] as const) {
    expect(slot(kind, false)).toBe(null);
    expect(slot(kind, true)).toBe('free');
  }
  for (const kind of ['offer', 'pass-paid', 'mask-sent', 'entered', 'entry-over'] as const)
    expect(slot(kind, false)).toBe('free');
  expect(slot('enter-reminder', false)).toBe(null);
  expect(slot('status-link', false, true)).toBe('free');
  expect(slot('welcome', true)).toBe('free');
  expect(slot('status-link', true)).toBe('link');
});

test('a first mail and a reminder go once, while a member of the mailbox is in line', () => {
  for (const slot of ['first', 'reminder'] as const) {
    expect(may(slot, [])).toBe(true);
    expect(may(slot, [mail(slot, 5_000)])).toBe(false);
    expect(may(slot, [mail(slot, 5, { isInLine: false })])).toBe(true);
  }
});

test('a link goes once a day, also to a member who has confirmed', () => {
  for (const isConfirmed of [true, false]) {
    expect(may('link', [mail('link', 23)], isConfirmed)).toBe(false);
    expect(may('link', [mail('link', 24)], isConfirmed)).toBe(true);
  }
});

test('three mails in seven days are the most before a mailbox confirms', () => {
  const three = [mail('first', 167, { isInLine: false }), mail('link', 50), mail('link', 25)];
  for (const slot of ['first', 'reminder', 'link', 'campaign'] as const)
    expect(may(slot, three)).toBe(false);
  expect(may('link', three, true)).toBe(true);
  const [oldest, ...two] = three;
  const later = new Date((oldest?.claimedAt.getTime() ?? 0) + 7 * DAY_MS);
  expect(may('reminder', two)).toBe(true);
  expect(maySend({ jobId: 'new', slot: 'reminder', isConfirmed: false }, three, later)).toBe(true);
});

test('another attempt of a mail that had its slot is sent', () => {
  const three = [mail('first', 20), mail('reminder', 10), mail('link', 5, { jobId: 'new' })];
  expect(may('link', three)).toBe(true);
});

test('a code mails a hundred friends a day, and four more for each who confirms', () => {
  expect(mayMailFriend({ confirmed: 0, unconfirmed: 99 })).toBe(true);
  expect(mayMailFriend({ confirmed: 0, unconfirmed: 100 })).toBe(false);
  expect(mayMailFriend({ confirmed: 100, unconfirmed: 499 })).toBe(true);
  expect(mayMailFriend({ confirmed: 100, unconfirmed: 500 })).toBe(false);
});
