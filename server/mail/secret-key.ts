import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { loadSecretFile } from '../secret-file.ts';
import { StartupError } from '../startup-error.ts';
import { keepSecretFingerprint } from './store.ts';

/**
 * The key that signs the links in mails and hashes the addresses that are not written to: SECRET_KEY, or one made for the
 * data folder. Throws StartupError when the database belongs to another key: links already mailed would be void, and
 * people who asked for silence would be written to.
 */
export async function loadSecretKey(
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
  database: Database,
): Promise<string> {
  const key = secretKey ?? (await loadSecretFile(join(dataDir, 'secret-key')));
  const fingerprint = createHmac('sha256', key).update('fingerprint').digest('base64url');
  if ((await keepSecretFingerprint(database, fingerprint)) === fingerprint) return key;
  throw new StartupError(
    secretKey === null
      ? `The secret key in ${dataDir} is not the one of this database: bring the file secret-key along, or set SECRET_KEY.`
      : 'SECRET_KEY is not the one of this database: all its servers need the same one.',
  );
}
