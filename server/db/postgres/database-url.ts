import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { reasonOf, StartupError } from '../../startup-error.ts';

/** All of these check the certificate and the host's name, which libpq does in the first only. */
const VERIFYING = ['verify-full', 'verify-ca', 'require', 'prefer'];
const MODES = ['disable', 'no-verify', ...VERIFYING];

/** Returns the URL for the driver. Throws StartupError for a wrong sslmode or unreadable file. */
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
