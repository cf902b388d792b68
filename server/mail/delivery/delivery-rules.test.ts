import { expect, test } from 'vitest';
import { judgeFailure, maySayServerIsAway } from './delivery-rules.ts';

const young = { ageMs: 60_000, giveUpAfterMs: 86_400_000 };
const old = { ageMs: 86_400_000, giveUpAfterMs: 86_400_000 };

test.each([
  ['an unknown mailbox', { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }],
  ['content that is not taken', { code: 'EMESSAGE', responseCode: 554, command: 'DATA' }],
])('%s is refused for good, at any age', (_what, failure) => {
  expect(judgeFailure(failure, young)).toBe('refused');
  expect(judgeFailure(failure, old)).toBe('refused');
});

test.each([
  ['a grey-listed recipient', { code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }],
  ['a full disk at the end', { code: 'EMESSAGE', responseCode: 452, command: 'DATA' }],
  ['no connection', { code: 'ECONNECTION', command: 'CONN' }],
  ['a time-out', { code: 'ETIMEDOUT', command: 'CONN' }],
  ['TLS refused', { code: 'ETLS', responseCode: 502, command: 'STARTTLS' }],
  ['a wrong password', { code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }],
  ['a sender that is not allowed', { code: 'EENVELOPE', responseCode: 553, command: 'MAIL FROM' }],
  ['an error of our own', {}],
])('after %s the mail is tried again, until it is a day old', (_what, failure) => {
  expect(judgeFailure(failure, young)).toBe('later');
  expect(judgeFailure(failure, old)).toBe('given_up');
});

test.each([
  [{ code: 'ESOCKET', command: 'CONN' }, true],
  [{ code: 'ETIMEDOUT', command: 'CONN' }, true],
  [{ code: 'EDNS', command: 'CONN' }, true],
  [{ code: 'EPROTOCOL', command: 'CONN', responseCode: 421 }, true],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 421 }, false],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451 }, false],
  [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, false],
  [{ code: 'ETLS', command: 'STARTTLS' }, false],
  [{}, false],
])('%j may say that the server is away: %s', (failure, isAway) => {
  expect(maySayServerIsAway(failure)).toBe(isAway);
});
