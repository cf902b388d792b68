import { expect, test } from 'vitest';
import {
  adviceFor,
  judgeFailure,
  type MailCause,
  mayMeanServerDown,
  readFailure,
} from './smtp-failure-rules.ts';

type Fields = {
  readonly code?: string;
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly command?: string;
};

const failureOf = (fields: Fields) => readFailure(Object.assign(new Error('x'), fields));

test('nothing that a server says is kept: it quotes the address', () => {
  const error = Object.assign(new Error('Recipient command failed: 550 <ada@example.com>'), {
    code: 'EENVELOPE',
    response: '550 <ada@example.com> unknown',
    responseCode: 550,
    command: 'RCPT TO',
    recipient: 'ada@example.com',
  });
  expect(readFailure(error)).toEqual({
    cause: 'recipient refused',
    errorCode: 'EENVELOPE',
    responseCode: 550,
    command: 'RCPT TO',
  });
  expect(readFailure('ada@example.com')).toEqual({ cause: 'unknown' });
});

test.each<[Fields, MailCause]>([
  [{ code: 'EDNS', originalCode: 'ENOTFOUND', command: 'CONN' }, 'host not found'],
  [{ code: 'ESOCKET', originalCode: 'EHOSTUNREACH', command: 'CONN' }, 'host not reachable'],
  [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' }, 'connection refused'],
  [{ code: 'ESOCKET', originalCode: 'ECONNRESET', command: 'CONN' }, 'connection lost'],
  [{ code: 'ECONNECTION', command: 'CONN' }, 'connection lost'],
  [{ code: 'ETIMEDOUT', originalCode: 'GREETING_TIMEOUT', command: 'CONN' }, 'no answer in time'],
  [{ code: 'ETLS', responseCode: 502, command: 'STARTTLS' }, 'TLS not offered'],
  [{ code: 'ETLS', command: 'CONN' }, 'TLS failed'],
  [{ code: 'ESOCKET', originalCode: 'ERR_SSL_WRONG_VERSION_NUMBER' }, 'TLS failed'],
  [{ code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'certificate not trusted'],
  [{ code: 'ESOCKET', originalCode: 'SELF_SIGNED_CERT_IN_CHAIN' }, 'certificate not trusted'],
  [{ code: 'ESOCKET', originalCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'certificate not trusted'],
  [{ code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED' }, 'certificate expired'],
  [
    { code: 'ESOCKET', originalCode: 'ERR_TLS_CERT_ALTNAME_INVALID' },
    'certificate of another host',
  ],
  [{ code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }, 'login refused'],
  [{ code: 'EPROTOCOL', responseCode: 421, command: 'CONN' }, 'service not available'],
  [{ code: 'EENVELOPE', responseCode: 553, command: 'MAIL FROM' }, 'sender refused'],
  [{ code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }, 'greylisted or put off'],
  [{ code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }, 'recipient refused'],
  [{ code: 'EMESSAGE', responseCode: 554, command: 'DATA' }, 'content refused'],
  [{}, 'unknown'],
])('%j is named: %s', (fields, cause) => {
  expect(failureOf(fields).cause).toBe(cause);
});

test('a fault that a setting mends names the setting', () => {
  expect(adviceFor('certificate not trusted')).toContain('SMTP_CA');
  expect(adviceFor('TLS not offered')).toContain('?tls=off');
  expect(adviceFor('greylisted or put off')).toBeNull();
});

const young = { ageMs: 60_000, giveUpAfterMs: 86_400_000 };
const old = { ageMs: 86_400_000, giveUpAfterMs: 86_400_000 };

test.each([
  ['an unknown mailbox', { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }],
  ['rejected content', { code: 'EMESSAGE', responseCode: 554, command: 'DATA' }],
])('%s is a refusal, at any age', (_what, failure) => {
  expect(judgeFailure(failureOf(failure), young)).toBe('refused');
  expect(judgeFailure(failureOf(failure), old)).toBe('refused');
});

test.each([
  ['a grey-listed recipient', { code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }],
  ['a full disk', { code: 'EMESSAGE', responseCode: 452, command: 'DATA' }],
  ['no connection', { code: 'ECONNECTION', command: 'CONN' }],
  ['a timeout', { code: 'ETIMEDOUT', command: 'CONN' }],
  ['refused TLS', { code: 'ETLS', responseCode: 502, command: 'STARTTLS' }],
  ['a wrong password', { code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }],
  ['a forbidden sender', { code: 'EENVELOPE', responseCode: 553, command: 'MAIL FROM' }],
  ['an error that is not from SMTP', {}],
])('after %s the mail is retried until it is a day old', (_what, failure) => {
  expect(judgeFailure(failureOf(failure), young)).toBe('later');
  expect(judgeFailure(failureOf(failure), old)).toBe('given_up');
});

test.each([
  [{ code: 'ESOCKET', command: 'CONN' }, true],
  [{ code: 'ETIMEDOUT', command: 'CONN' }, true],
  [{ code: 'EDNS', command: 'CONN' }, true],
  [{ code: 'ESOCKET', originalCode: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', command: 'CONN' }, true],
  [{ code: 'EPROTOCOL', command: 'CONN', responseCode: 421 }, true],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 421 }, false],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451 }, false],
  [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, false],
  [{ code: 'ETLS', command: 'STARTTLS' }, false],
  [{}, false],
])('%j may mean that the server is down: %s', (failure, isDown) => {
  expect(mayMeanServerDown(failureOf(failure))).toBe(isDown);
});
