/** The repository holds no private key, no secret of a webhook and no token of a service. */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

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

test('no tracked file has a secret', () => {
  const found = trackedFiles().flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'latin1');
    return SECRETS.flatMap(([name, pattern]) => (pattern.test(text) ? [`${path}: ${name}`] : []));
  });
  expect(found).toEqual([]);
});

test('no tracked file is one in which secrets are kept', () => {
  const names = /(?:^|\/)(?:\.env|\.netrc|id_(?:rsa|ed25519)|operator-token|secret-key)$/;
  const endings = /\.(?:pem|key|p12|pfx|keystore)$/;
  const isKept = (path: string) => names.test(path) || endings.test(path);
  expect(['.env', 'data/operator-token', 'dkim.pem'].filter(isKept)).toHaveLength(3);
  expect(trackedFiles().filter(isKept)).toEqual([]);
});

function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split(
    '\0',
  );
  const files = listed.filter(
    (path) => path !== '' && statSync(join(ROOT, path), { throwIfNoEntry: false })?.isFile(),
  );
  expect(files.length).toBeGreaterThan(200);
  return files;
}
