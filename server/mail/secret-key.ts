import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { keepSecretFile, loadSecretFile, readSecretFile } from '../secret-file.ts';
import { StartupError } from '../startup-error.ts';
import { keepSecretFingerprint, readSecretFingerprint } from './store.ts';

/**
 * The key that signs the links in mails and hashes the addresses that are not written to: SECRET_KEY, or one made for the
 * data folder. Throws StartupError when the database belongs to another key: links already mailed would be void, and
 * people who asked for silence would be written to.
 */
export async function loadSecretKey({ secretKey, dataDir }: Settings, database: Database): Promise<string> {
  const key = secretKey ?? (await loadSecretFile(secretKeyPath(dataDir)));
  const fingerprint = fingerprintOf(key);
  if ((await keepSecretFingerprint(database, fingerprint)) === fingerprint) return key;
  throw otherKey({ secretKey, dataDir });
}

/** The key of a database that a server has been started on, for who only reads. Throws StartupError where it is not to be had. */
export async function readSecretKey(settings: Settings, database: Database): Promise<string> {
  const key = await findSecretKey(settings);
  if (key === null)
    throw new StartupError(`There is no secret-key in ${settings.dataDir}: bring the file along, or set SECRET_KEY.`);
  const fingerprint = await readSecretFingerprint(database);
  if (fingerprint === null || fingerprint === fingerprintOf(key)) return key;
  throw otherKey(settings);
}

/** Throws StartupError when the settings or the data folder hold another key than `key`. */
export async function assertSecretKeyFits(settings: Settings, key: string): Promise<void> {
  const found = await findSecretKey(settings);
  if (found === null || found === key) return;
  throw new StartupError(
    settings.secretKey === null
      ? `There is a secret-key in ${settings.dataDir} already, and it is another one: take an empty data folder.`
      : 'SECRET_KEY is another one than that of the backup: leave it out, or set the same.',
  );
}

/** Puts the key into the data folder, unless the settings have it. */
export async function keepSecretKey(settings: Settings, key: string): Promise<void> {
  await assertSecretKeyFits(settings, key);
  if (settings.secretKey === null) await keepSecretFile(secretKeyPath(settings.dataDir), key);
}

type Settings = Pick<Config, 'secretKey' | 'dataDir'>;

async function findSecretKey({ secretKey, dataDir }: Settings): Promise<string | null> {
  const path = secretKeyPath(dataDir);
  return secretKey ?? (existsSync(path) ? await readSecretFile(path) : null);
}

function otherKey({ secretKey, dataDir }: Settings): StartupError {
  return new StartupError(
    secretKey === null
      ? `The secret key in ${dataDir} is not the one of this database: bring the file secret-key along, or set SECRET_KEY.`
      : 'SECRET_KEY is not the one of this database: all its servers need the same one.',
  );
}

function fingerprintOf(key: string): string {
  return createHmac('sha256', key).update('fingerprint').digest('base64url');
}

function secretKeyPath(dataDir: string): string {
  return join(dataDir, 'secret-key');
}
