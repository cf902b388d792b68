import { expect, test } from 'vitest';
import { connectionErrorOf, startupErrorOf } from './startup-refusals.ts';

const ADDRESS = 'postgres://waitlist:secret@db.example.com:6432/line';
const error = (code: string, message: string) => Object.assign(new Error(message), { code });

test.each([
  ['ECONNREFUSED', 'connect ECONNREFUSED', /^No PostgreSQL answers at db\.example\.com:6432 /],
  [
    'ENOTFOUND',
    'getaddrinfo ENOTFOUND db.example.com',
    /^The name db\.example\.com of DATABASE_URL leads to no address: /,
  ],
  ['EAI_AGAIN', 'getaddrinfo EAI_AGAIN', /^The name db\.example\.com .* does DNS answer\?$/],
  [
    '08P01',
    'unsupported startup parameter: statement_timeout',
    /^The PgBouncer at db\.example\.com:6432 .*: add ignore_startup_parameters = statement_/,
  ],
  [
    '08P01',
    'transaction blocks not allowed in statement pooling mode',
    /^The PgBouncer at \S+ pools by statement: set pool_mode = transaction or session\.$/,
  ],
  ['28P01', 'password authentication failed', /refused the user name or password/],
  ['3D000', 'database "line" does not exist', /^PostgreSQL at \S+ has no database line: create it/],
  [
    '42501',
    'permission denied',
    /lacks a right in line \(permission denied\): run .\/waitlist migrate/,
  ],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'self-signed certificate',
    /\(self-signed certificate\): name its authority with sslrootcert=<file> in DATABASE_URL\.$/,
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'unable to verify the first certificate',
    /name its authority with sslrootcert/,
  ],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    "Hostname/IP does not match certificate's altnames",
    /is refused \(Hostname\/IP does not match certificate's altnames\)\.$/,
  ],
  ['CERT_HAS_EXPIRED', 'certificate has expired', /is refused \(certificate has expired\)\.$/],
  ['', 'The server does not support SSL connections', /disagree about TLS/],
])('%s (%s) is one sentence, without the password', (code, message, sentence) => {
  const refusal = startupErrorOf(error(code, message), ADDRESS)?.message ?? '';
  expect(refusal).toMatch(sentence);
  expect(refusal).not.toMatch(/secret|\n/);
});

test('an error of our own SQL keeps its stack', () => {
  expect(startupErrorOf(error('42601', 'syntax error'), ADDRESS)).toBeNull();
});

test('whatever is wrong while connecting is one sentence', () => {
  const tooMany = error('53300', 'sorry, too many clients already');
  expect(connectionErrorOf(tooMany, ADDRESS).message).toBe(
    'PostgreSQL at db.example.com:6432 refused the connection: sorry, too many clients already.',
  );
});
