/** The repository holds no private key, no secret of a webhook and no token of a service. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PATHS } from './source-files.ts';

const SCHEME = '(?:postgres(?:ql)?|smtps?|https?)';
const OF_ADDRESS = '[^\\s:/@\'"`$<{]';

/** Each example is put together here, so that this file holds no secret either. */
const SECRETS: readonly [name: string, pattern: RegExp, example: string][] = [
  [
    'a private key',
    /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/,
    ['-----BEGIN RSA PRIVATE', 'KEY-----'].join(' '),
  ],
  [
    'a secret of a webhook',
    /whsec_[A-Za-z0-9+/]{32,}/,
    ['whsec', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'].join('_'),
  ],
  [
    'a token of GitHub',
    /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})/,
    ['ghp', 'a'.repeat(36)].join('_'),
  ],
  ['a token of npm', /\bnpm_[A-Za-z0-9]{36}|_authToken\s*=/, ['npm', 'a'.repeat(36)].join('_')],
  ['a key of AWS', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/, ['AKIA', 'A'.repeat(16)].join('')],
  ['a key of Google', /\bAIza[\w-]{35}/, ['AIza', 'a'.repeat(35)].join('')],
  [
    'a key of a provider',
    /\b(?:sk|rk|SG|re|xox[abp])[-_.](?:live_)?[A-Za-z0-9]{24,}/,
    ['sk_live', 'a'.repeat(24)].join('_'),
  ],
  [
    'a JSON web token',
    /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
    ['eyJhbGciOiJIUzI1', 'eyJzdWIiOiIxMjM0', 'a'.repeat(20)].join('.'),
  ],
  [
    'a password in an address',
    new RegExp(`\\b${SCHEME}://${OF_ADDRESS}+:(?!password@|secret@)${OF_ADDRESS}{8,}@`),
    ['smtp://me:', 'Tr0ub4dor&3@mail'].join(''),
  ],
];

test.each(SECRETS)('the search finds %s', (_name, pattern, example) => {
  expect(example).toMatch(pattern);
});

test('no file of the repository has a secret', () => {
  const found = PATHS.flatMap((path) => {
    const text = readFileSync(path, 'latin1');
    return SECRETS.flatMap(([name, pattern]) => (pattern.test(text) ? [`${path}: ${name}`] : []));
  });
  expect(found).toEqual([]);
});

test('no file of the repository is one in which secrets are kept', () => {
  const names = /(?:^|\/)(?:\.env|\.netrc|id_(?:rsa|ed25519)|operator-token|secret-key)$/;
  const endings = /\.(?:pem|key|p12|pfx|keystore)$/;
  const isKept = (path: string) => names.test(path) || endings.test(path);
  expect(['.env', 'data/operator-token', 'dkim.pem'].filter(isKept)).toHaveLength(3);
  expect(PATHS.filter(isKept)).toEqual([]);
});
