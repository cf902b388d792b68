import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isWritableByOthers } from './writable-by-others.ts';

export type ReadText = (name: string) => string | null;
export type DkimKey = NonNullable<ReturnType<typeof readDkim>>;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export function readSmtpCa(text: ReadText, problems: string[]): string | null {
  const path = text('SMTP_CA');
  if (path === null) return null;
  if (/[?&]tls=off\b/.test(text('SMTP_URL') ?? ''))
    problems.push('SMTP_CA has no use with ?tls=off in SMTP_URL. Remove one of them.');
  return readPem('SMTP_CA', path, problems, {
    expected: 'a readable file with certificates',
    isValid(pem) {
      const [first = '', ...others] = pem.match(CERTIFICATE) ?? [];
      for (const certificate of [first, ...others]) new X509Certificate(certificate);
      return true;
    },
  });
}

export function readDkim(text: ReadText, problems: string[]) {
  const domain = text('DKIM_DOMAIN');
  const selector = text('DKIM_SELECTOR');
  const path = text('DKIM_KEY_FILE');
  if (domain === null && selector === null && path === null) return null;
  if (domain === null || selector === null || path === null) {
    problems.push(
      'DKIM_DOMAIN, DKIM_SELECTOR and DKIM_KEY_FILE belong together. Set all three or none.',
    );
    return null;
  }
  const privateKey = readPem('DKIM_KEY_FILE', path, problems, {
    expected: 'an RSA private key',
    isValid: (pem) => createPrivateKey(pem).asymmetricKeyType === 'rsa',
  });
  return privateKey === null ? null : { domain, selector, privateKey };
}

type Pem = { readonly expected: string; isValid(pem: string): boolean };

/** `isValid` may throw. Returns null and adds a problem for any other file. */
function readPem(name: string, path: string, problems: string[], { expected, isValid }: Pem) {
  try {
    const pem = readFileSync(path, 'utf8');
    if (isWritableByOthers(path))
      problems.push(`Others can change ${name}. Run: chmod go-w "${path}"`);
    if (isValid(pem)) return pem;
  } catch {} // Reported below.
  problems.push(`${name} must be the path of ${expected} in PEM format.`);
  return null;
}
