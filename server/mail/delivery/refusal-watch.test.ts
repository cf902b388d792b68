import { expect, test } from 'vitest';
import { GIVE_UP_AFTER_MS, openRefusalWatch, type Refused } from './refusal-watch.ts';
import { readFailure, type SmtpFailure } from './smtp-failure-rules.ts';

const refused = (id: string, more: Partial<Refused> = {}): Refused => {
  return { id, ageMs: 0, attempts: 1, isOffer: false, ...more };
};
const old = { ageMs: GIVE_UP_AFTER_MS, attempts: 10 };

function answer(response: string, command = 'RCPT TO'): SmtpFailure {
  const responseCode = Number(response.slice(0, 3));
  return readFailure(Object.assign(new Error('x'), { responseCode, response, command }));
}
const OVER_LIMIT = answer('550 Sender rate overlimit - 290.8 / 24h');
const DAILY = answer('550 5.4.5 Daily user sending limit exceeded', 'DATA');
const POLICY = answer('550 5.7.1 Rejected', 'DATA');
const UNKNOWN_MAILBOX = answer('550 5.1.1 User unknown');

test('a mailbox that is none is final at once, and says nothing about the sender', () => {
  const watch = openRefusalWatch();
  for (const id of ['a', 'b', 'c', 'd'])
    expect(watch.judge(refused(id), UNKNOWN_MAILBOX)).toEqual({
      outcome: 'refused',
      isOfSender: false,
    });
});

test.each([
  ['as of a full mailbox', answer('552 5.2.2 relay quota exceeded')],
  ['as of an unknown host', answer('550 5.1.2 relaying denied')],
])('a fifth mail in a row that is refused %s is refused as the sender', (_what, failure) => {
  const watch = openRefusalWatch();
  const judge = (id: string) => watch.judge(refused(id), failure);
  for (const id of ['a', 'b', 'c']) judge(id);
  watch.noteAccepted('x');
  for (const id of ['d', 'e', 'f', 'g'])
    expect(judge(id)).toEqual({ outcome: 'refused', isOfSender: false });
  expect(judge('h')).toEqual({ outcome: 'later', isOfSender: true });
  expect(judge('i')).toEqual({ outcome: 'later', isOfSender: true });
});

test.each([
  ['of a policy', POLICY, 1],
  ['as of a full mailbox', UNKNOWN_MAILBOX, 5],
])('one mail that alone is refused again and again, %s, lets mail go on', (_what, failure, row) => {
  const watch = openRefusalWatch();
  for (let mail = 1; mail < row; mail += 1) watch.judge(refused(`m${mail}`), failure);
  const judge = () => watch.judge(refused('a', { ...old, isOffer: true }), failure);
  for (let probe = 0; probe < 5; probe += 1)
    expect(judge()).toEqual({ outcome: 'later', isOfSender: true });
  expect(judge()).toEqual({ outcome: 'later', isOfSender: false, endsStop: true });
});

test('a policy that refuses three mails again and again is about the sender', () => {
  const watch = openRefusalWatch();
  const judge = (id: string) => watch.judge(refused(id, old), POLICY);
  for (let probe = 0; probe < 20; probe += 1)
    for (const id of ['a', 'b', 'c'])
      expect(judge(id)).toEqual({ outcome: 'later', isOfSender: true });
});

test('unknown mailboxes between do not excuse a mail that is refused twice', () => {
  const watch = openRefusalWatch();
  watch.judge(refused('a'), POLICY);
  watch.judge(refused('b'), UNKNOWN_MAILBOX);
  watch.noteAccepted('c');
  expect(watch.judge(refused('a'), POLICY).outcome).toBe('refused');
});

test.each([
  ['a used-up quota', DAILY],
  ['a policy', POLICY],
])('%s is about the sender at once, and burns no mail however old', (_what, failure) => {
  const watch = openRefusalWatch();
  expect(watch.judge(refused('a', old), failure)).toEqual({ outcome: 'later', isOfSender: true });
});

test('refusals without a status are about the sender from the third mail in a row on', () => {
  const watch = openRefusalWatch();
  const judge = (id: string) => watch.judge(refused(id), OVER_LIMIT);
  const { outcome, isOfSender } = judge('a');
  expect([outcome, isOfSender]).toEqual(['later', false]);
  // The same mail again is no further one.
  expect(judge('a').isOfSender).toBe(false);
  expect(judge('b').isOfSender).toBe(false);
  watch.noteAccepted('x');
  expect(judge('c').isOfSender).toBe(false);
  expect(judge('d').isOfSender).toBe(false);
  expect(judge('e')).toEqual({ outcome: 'later', isOfSender: true });
});

test.each([
  ['without a status', OVER_LIMIT],
  ['of a policy', POLICY],
])('a mail that is refused twice, %s, while another is accepted is at fault', (_what, failure) => {
  const watch = openRefusalWatch();
  watch.judge(refused('a'), failure);
  watch.noteAccepted('b');
  expect(watch.judge(refused('a'), failure)).toEqual({ outcome: 'refused', isOfSender: false });
});

test('a quota that is freed now and then is never the fault of a mail', () => {
  const watch = openRefusalWatch();
  for (let hour = 0; hour < 48; hour += 1) {
    for (const id of ['a', 'b', 'c'])
      expect(watch.judge(refused(id, old), DAILY)).toEqual({ outcome: 'later', isOfSender: true });
    watch.noteAccepted(`lucky ${hour}`);
  }
});

test('a mail whose turn finds the quota used up twice waits, though another was sent', () => {
  const watch = openRefusalWatch();
  watch.judge(refused('a'), DAILY);
  watch.noteAccepted('b');
  expect(watch.judge(refused('a'), DAILY)).toEqual({ outcome: 'later', isOfSender: true });
});

test('mails are not at fault while many are refused, and are while nearly all are accepted', () => {
  const watch = openRefusalWatch();
  const judge = (id: string) => watch.judge(refused(id), OVER_LIMIT).outcome;
  const both = () => [judge('a'), judge('b')];
  both();
  watch.noteAccepted('x');
  expect(both()).toEqual(['later', 'later']);
  for (let mail = 0; mail < 20; mail += 1) watch.noteAccepted(`y${mail}`);
  expect(both()).toEqual(['refused', 'refused']);
});

test('a mail is given up after a day and ten attempts, but no offer without an answer', () => {
  const watch = openRefusalWatch();
  const away = readFailure(Object.assign(new Error('x'), { code: 'ECONNECTION', command: 'CONN' }));
  const judge = (more: Partial<Refused>) => watch.judge(refused('a', more), away).outcome;
  expect(judge({ ...old, attempts: 9 })).toBe('later');
  expect(judge({ ageMs: GIVE_UP_AFTER_MS - 1, attempts: 10 })).toBe('later');
  expect(judge(old)).toBe('given_up');
  expect(judge({ ...old, isOffer: true })).toBe('later');
  const uncomposed = watch.judge(refused('b', { ...old, isOffer: true }), {
    cause: 'not composed',
  });
  expect(uncomposed.outcome).toBe('given_up');
  expect(watch.judge(refused('c', old), OVER_LIMIT).outcome).toBe('given_up');
  expect(watch.judge(refused('d', { ...old, isOffer: true }), OVER_LIMIT).outcome).toBe('later');
});
