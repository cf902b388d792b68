import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { reasonOf, StartupError } from '../../startup-error.ts';

/**
 * All check the certificate and the host's name. In libpq the others check less, or nothing: then
 * anybody in between could read every address.
 */
const VERIFYING = ['verify-full', 'verify-ca', 'require', 'prefer'];
const MODES = ['disable', 'no-verify', ...VERIFYING];

/**
 * DATABASE_URL for the driver, which would warn about `sslmode` and break on files that it cannot
 * read. Throws StartupError when it could not be used.
 */
export function checkDatabaseUrl(databaseUrl: string): string {
  const { searchParams } = new URL(databaseUrl);
  const mode = searchParams.get('sslmode');
  if (mode !== null && !MODES.includes(mode))
    throw new StartupError(`sslmode in DATABASE_URL must be one of ${MODES.join(', ')}.`);
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = searchParams.get(name);
    if (path !== null) checkFile(name, path);
  }
  return mode !== null && VERIFYING.includes(mode)
    ? databaseUrl.replace(/(?<=[?&]sslmode=)[^&#]*/, 'verify-full')
    : databaseUrl;
}

function checkFile(name: string, path: string): void {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = reasonOf(error);
    throw new StartupError(`${name} in DATABASE_URL, ${path}, cannot be read: ${reason}.`);
  }
  if (name !== 'sslkey' && !isCertificate(text))
    throw new StartupError(`${name} in DATABASE_URL, ${path}, is not a certificate in PEM format.`);
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== '';
  } catch {
    return false;
  }
}
