/** `npm run backup -- [file]`: everything in one file, from the running server or from a stopped one. */
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { operatorPaths } from '../contract/operator.ts';
import { readBackupCounts } from '../server/backup/restore-backup.ts';
import { takeStoppedBackup } from '../server/backup/take-stopped-backup.ts';
import type { Config } from '../server/config.ts';
import { syncPath } from '../server/db/durable-file-system.ts';
import {
  isExpected,
  NotRunning,
  OperatorError,
  openOperatorCall,
  readSettings,
  reportFailure,
} from './operator/call-operator.ts';

/** A file that is open to its owner alone appears under its name only when it was read back whole. */
async function writeBackupFile(config: Config, path: string): Promise<void> {
  if (existsSync(path)) throw new OperatorError(`${path} exists already.`);
  const draft = `${path}.unfinished`;
  await rm(draft, { force: true });
  try {
    const bytes = await openBackup(config);
    await pipeline(bytes, createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true })).catch((error) => {
      if (isExpected(error)) throw error;
      // What fetch calls a connection that ends in the middle.
      const isBrokenOff = error instanceof TypeError && error.message === 'terminated';
      const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
      const said = error instanceof Error ? error.message : error;
      const reason = isBrokenOff ? 'the server broke off' : isFull ? 'its disk is full' : said;
      throw new OperatorError(`${path} was not written: ${reason}.`);
    });
    const { members, mails } = await readBackupCounts(draft);
    await rename(draft, path);
    syncPath(dirname(path));
    const megabytes = ((await stat(path)).size / 1e6).toFixed(1);
    console.log(`${members} members and ${mails} waiting mails are in ${path} (${megabytes} MB).`);
    console.log('It holds every address and the secret key: keep it where nobody else can read it.');
  } finally {
    await rm(draft, { force: true });
  }
}

async function openBackup(config: Config): Promise<Readable> {
  try {
    const { body } = await openOperatorCall(config, { path: operatorPaths.backup });
    if (body === null) throw new OperatorError('The server sent no backup.');
    return Readable.fromWeb(body as ReadableStream);
  } catch (error) {
    if (!(error instanceof NotRunning)) throw error;
    return Readable.from(takeStoppedBackup(config));
  }
}

function defaultName(): string {
  return `waitlist-${new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-')}.backup`;
}

try {
  const [path = defaultName(), ...others] = process.argv.slice(2);
  if (others.length > 0 || path.startsWith('-')) throw new OperatorError('Usage: npm run backup -- [file]');
  await writeBackupFile(readSettings(), resolve(path));
} catch (error) {
  reportFailure(error);
}
