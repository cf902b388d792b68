import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { keepSecretFile, loadSecretFile, readSecretFile } from '../secret-file.ts';
import { StartupError } from '../startup-error.ts';
import { keepSecretFingerprint, readSecretFingerprint } from './secret-key-store.ts';

/** A new one would not fit the database. */
const ADVICE = 'Put back the file of this line, or restore a backup, which has it.';

/** Throws StartupError for another key than the database's: mailed links would be void. */
export async function loadSecretKey(
  { secretKey, dataDir }: Settings,
  database: Database,
): Promise<string> {
  const key = secretKey ?? (await loadSecretFile(secretKeyPath(dataDir), ADVICE));
  const fingerprint = fingerprintOf(key);
  if ((await keepSecretFingerprint(database, fingerprint)) === fingerprint) return key;
  throw otherKey({ secretKey, dataDir });
}

/** For read-only callers: creates no key. Throws StartupError when there is none or another one. */
export async function readSecretKey(settings: Settings, database: Database): Promise<string> {
  const key = await findSecretKey(settings);
  if (key === null)
    throw new StartupError(
      `There is no secret-key in ${settings.dataDir}: copy the file there, or set SECRET_KEY.`,
    );
  if (await isKeyOf(database, key)) return key;
  throw otherKey(settings);
}

/** Any key is that of a line that no server has opened. */
export async function isKeyOf(database: Pick<Database, 'runSql'>, key: string): Promise<boolean> {
  const fingerprint = await readSecretFingerprint(database);
  return fingerprint === null || fingerprint === fingerprintOf(key);
}

export async function assertSecretKeyFits(settings: Settings, key: string): Promise<void> {
  const found = await findSecretKey(settings);
  if (found === null || found === key) return;
  throw new StartupError(
    settings.secretKey === null
      ? `${settings.dataDir} already holds a different secret-key: use an empty data folder.`
      : 'SECRET_KEY differs from the key of the backup: leave it out, or set that key.',
  );
}

export async function keepSecretKey(settings: Settings, key: string): Promise<void> {
  await assertSecretKeyFits(settings, key);
  if (settings.secretKey === null) await keepSecretFile(secretKeyPath(settings.dataDir), key);
}

type Settings = Pick<Config, 'secretKey' | 'dataDir'>;

async function findSecretKey({ secretKey, dataDir }: Settings): Promise<string | null> {
  const path = secretKeyPath(dataDir);
  return secretKey ?? (existsSync(path) ? await readSecretFile(path, ADVICE) : null);
}

function otherKey({ secretKey, dataDir }: Settings): StartupError {
  return new StartupError(
    secretKey === null
      ? `The secret-key in ${dataDir} does not belong to this database: ` +
          'copy the right file there, or set SECRET_KEY.'
      : 'SECRET_KEY does not belong to this database: all its servers need the same key.',
  );
}

function fingerprintOf(key: string): string {
  return createHmac('sha256', key).update('fingerprint').digest('base64url');
}

function secretKeyPath(dataDir: string): string {
  return join(dataDir, 'secret-key');
}
