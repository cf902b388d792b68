import { expect, test } from 'vitest';
import {
  adviceFor,
  type MailCause,
  mayMeanServerDown,
  type RefusalScope,
  readFailure,
  refusalScope,
} from './smtp-failure-rules.ts';

type Fields = {
  readonly code?: string;
  readonly originalCode?: string;
  readonly responseCode?: number;
  readonly response?: string;
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
  [{ code: 'EMESSAGE', responseCode: 454, command: 'DATA' }, 'refused by the provider'],
  [{ code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }, 'recipient refused'],
  [{ code: 'EMESSAGE', responseCode: 554, command: 'DATA' }, 'content refused'],
  [
    { code: 'EPROTOCOL', responseCode: 421, response: '421 4.7.0 Try later', command: 'EHLO' },
    'refused by the provider',
  ],
  [{}, 'unknown'],
])('%j is named: %s', (fields, cause) => {
  expect(failureOf(fields).cause).toBe(cause);
});

test('a fault that a setting mends names the setting', () => {
  expect(adviceFor('certificate not trusted')).toContain('SMTP_CA');
  expect(adviceFor('TLS not offered')).toContain('?tls=off');
  expect(adviceFor('greylisted or put off')).toBeNull();
});

/** Documented answers of providers to whoever may not send more, each with its command. */
test.each<[string, string, string, RefusalScope]>([
  [
    'Gmail, daily limit',
    'DATA',
    '550-5.4.5 Daily user sending limit exceeded. For more\n550 5.4.5 information',
    'quota',
  ],
  ['Gmail, relay limit', 'DATA', '550 5.4.5 Daily SMTP relay limit exceeded for user.', 'quota'],
  [
    'Gmail, relay limit of old',
    'DATA',
    '550 5.7.1 Daily SMTP relay limit exceeded for customer.',
    'policy',
  ],
  [
    'Gmail, too fast',
    'RCPT TO',
    '421 4.7.0 Our system has detected an unusual rate of mail',
    'policy',
  ],
  ['SES, daily quota', 'DATA', '454 Throttling failure: Daily message quota exceeded.', 'quota'],
  ['SES, rate', 'DATA', '454 Throttling failure: Maximum sending rate exceeded.', 'quota'],
  [
    'SES, sender not verified',
    'DATA',
    '554 Message rejected: Email address is not verified.',
    'unclear',
  ],
  [
    'Brevo, account not activated',
    'DATA',
    '502 5.7.0 Your SMTP account is not yet activated.',
    'policy',
  ],
  ['Brevo of old', 'DATA', '450 Your SMTP account is not yet activated.', 'unclear'],
  ['Exim, rate limit', 'RCPT TO', '550 Sender rate overlimit - 290.8 / 24h', 'unclear'],
  ['Exim, deferring', 'RCPT TO', '451 Temporary local problem - please try later', 'unclear'],
  ['a relay quota', 'RCPT TO', '552 sender exceeded relay quota', 'unclear'],
  ['a quota at the sender', 'MAIL FROM', '452 4.4.5 Messages per second limit exceeded', 'quota'],
  ['an unknown mailbox', 'RCPT TO', '550 5.1.1 <ada@example.com>: User unknown', 'mail'],
  ['a full mailbox', 'RCPT TO', '552 5.2.2 mailbox full', 'mail'],
  ['a relay quota as of a mailbox', 'RCPT TO', '552 5.2.2 relay quota exceeded', 'mail'],
  ['Exchange, send as another', 'DATA', '554 5.2.252 SendAsDenied; not allowed', 'unclear'],
  ['Exchange, quota', 'DATA', '554 5.2.0 SubmissionQuotaExceededException', 'unclear'],
  ['too fast, at the greeting', 'CONN', '421 4.7.0 unusual rate of mail', 'quota'],
  ['too fast, before the sender', 'EHLO', '421 4.7.28 unusual rate of mail', 'quota'],
  ['too fast, at the sender', 'MAIL FROM', '421 4.4.5 Too many messages', 'quota'],
  ['too large a mail', 'DATA', '552 5.3.4 Message too big', 'mail'],
  ['the address of the sender', 'RCPT TO', '550 5.1.8 Bad sender address', 'policy'],
])('%s is about the right one', (_what, command, response, scope) => {
  const code = command === 'DATA' ? 'EMESSAGE' : 'EENVELOPE';
  const responseCode = Number(response.slice(0, 3));
  expect(refusalScope(failureOf({ code, command, response, responseCode }))).toBe(scope);
});

test.each<[Fields, RefusalScope | null]>([
  [{ code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }, 'quota'],
  [{ code: 'ECONNECTION', command: 'CONN' }, null],
  [{ code: 'EPROTOCOL', responseCode: 421, command: 'MAIL FROM' }, null],
  [{ code: 'ETLS', responseCode: 502, command: 'STARTTLS' }, null],
  [{}, null],
])('%j is a refusal of: %s', (fields, scope) => {
  expect(refusalScope(failureOf(fields))).toBe(scope);
});

test.each([
  [{ code: 'ESOCKET', command: 'CONN' }, true],
  [{ code: 'ETIMEDOUT', command: 'CONN' }, true],
  [{ code: 'EDNS', command: 'CONN' }, true],
  [{ code: 'ESOCKET', originalCode: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', command: 'CONN' }, true],
  [{ code: 'EPROTOCOL', command: 'CONN', responseCode: 421 }, true],
  [{ code: 'EPROTOCOL', command: 'EHLO', responseCode: 421, response: '421 4.7.0 x' }, false],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 421 }, false],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451 }, false],
  [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, false],
  [{ code: 'ETLS', command: 'STARTTLS' }, false],
  [{}, false],
])('%j may mean that the server is down: %s', (failure, isDown) => {
  expect(mayMeanServerDown(failureOf(failure))).toBe(isDown);
});
