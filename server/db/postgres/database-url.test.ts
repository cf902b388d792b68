import { writeFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { provideFolder } from '../../../test/support/provide-folder.ts';
import { StartupError } from '../../startup-error.ts';
import { checkDatabaseUrl } from './database-url.ts';

const BASE = 'postgres://waitlist:pa%23ss@db.example.com:5432/waitlist';

describe('sslmode', () => {
  test.each(['require', 'verify-ca', 'verify-full', 'prefer'])(
    '%s checks certificate and name, without a warning of the driver',
    (mode) => {
      const warn = vi.spyOn(process, 'emitWarning');
      const url = checkDatabaseUrl(`${BASE}?application_name=a&sslmode=${mode}&keepalives=1`);
      expect(url).toBe(`${BASE}?application_name=a&sslmode=verify-full&keepalives=1`);
      expect(new pg.Client(url).ssl).toEqual({});
      expect(warn).not.toHaveBeenCalled();
      warn.mockRestore();
    },
  );

  test('that requires less is passed on as it is', () => {
    for (const url of [BASE, `${BASE}?sslmode=disable`, `${BASE}?sslmode=no-verify`])
      expect(checkDatabaseUrl(url)).toBe(url);
  });

  test('of another name is refused with the known names', () => {
    expect(() => checkDatabaseUrl(`${BASE}?sslmode=verify_full`)).toThrow(
      new StartupError(
        'sslmode in DATABASE_URL must be one of disable, no-verify, verify-full, verify-ca, ' +
          'require, prefer.',
      ),
    );
  });
});

describe('a file that DATABASE_URL names', () => {
  const pathOf = provideFolder('all');
  const urlWith = (name: string, path: string) =>
    `${BASE}?sslmode=verify-full&${name}=${encodeURIComponent(path)}`;

  test.each(['sslrootcert', 'sslcert', 'sslkey'])('as %s and is missing is refused', (name) => {
    const path = pathOf('none.pem');
    expect(() => checkDatabaseUrl(urlWith(name, path))).toThrow(
      new StartupError(`${name} in DATABASE_URL, ${path}, cannot be read: it does not exist.`),
    );
  });

  test('as sslrootcert has to hold a certificate', () => {
    const path = pathOf('authority.pem');
    writeFileSync(path, 'no certificate');
    expect(() => checkDatabaseUrl(urlWith('sslrootcert', path))).toThrow(
      new StartupError(`sslrootcert in DATABASE_URL, ${path}, is not a certificate in PEM format.`),
    );
    writeFileSync(path, rootCertificates.slice(0, 2).join('\n'));
    expect(checkDatabaseUrl(urlWith('sslrootcert', path))).toBe(urlWith('sslrootcert', path));
  });
});
