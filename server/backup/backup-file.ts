/** A line that names the format, gzipped lines, and the SHA-256 of every byte before it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { codeOf, reasonOf } from '../startup-error.ts';

const FIRST_LINE = Buffer.from('waitlist-backup 1\n');
const CHECKSUM_BYTES = 32;
/** Half the time of the default level, for a tenth more bytes. */
const COMPRESSION_LEVEL = 3;

export class BackupError extends Error {}

export async function* sealBackup(lines: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256').update(FIRST_LINE);
  const gzip = createGzip({ level: COMPRESSION_LEVEL });
  // A failure of the source destroys gzip with the same error, so the loop below throws it.
  pipeline(Readable.from(lines), gzip).catch(() => {});
  yield FIRST_LINE;
  for await (const bytes of gzip) {
    hash.update(bytes as Buffer);
    yield bytes as Buffer;
  }
  yield hash.digest();
}

export async function checkBackupFile(path: string): Promise<void> {
  try {
    await checkBytes(path);
  } catch (error) {
    if (error instanceof BackupError) throw error;
    if (codeOf(error) === 'ENOENT') throw new BackupError(`${path} does not exist.`);
    throw new BackupError(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}

async function checkBytes(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const first = Buffer.alloc(FIRST_LINE.length);
    await file.read(first, 0, first.length, 0);
    if (!first.equals(FIRST_LINE))
      throw new BackupError(
        first.subarray(0, 15).equals(FIRST_LINE.subarray(0, 15))
          ? `${path} is a backup in an unknown format: restore it with the version that made it.`
          : `${path} is not a backup of a waitlist.`,
      );
    const end = size - CHECKSUM_BYTES;
    const checksum = Buffer.alloc(CHECKSUM_BYTES);
    if (end > FIRST_LINE.length) await file.read(checksum, 0, CHECKSUM_BYTES, end);
    const hash = createHash('sha256');
    for await (const bytes of createReadStream(path, { end: Math.max(0, end - 1) }))
      hash.update(bytes as Buffer);
    if (!hash.digest().equals(checksum)) throw damaged(path);
  } finally {
    await file.close();
  }
}

export async function* readBackupLines(
  path: string,
): AsyncGenerator<{ readonly word: string; readonly json: string }> {
  const { size } = await stat(path);
  const compressed = createReadStream(path, {
    start: FIRST_LINE.length,
    end: size - CHECKSUM_BYTES - 1,
  });
  const gunzip = createGunzip();
  pipeline(compressed, gunzip).catch(() => {});
  gunzip.setEncoding('utf8');
  let rest: string[] = [];
  try {
    for await (const text of gunzip) {
      // Readline would split lines at U+2028 as well.
      const [head = '', ...tails] = (text as string).split('\n');
      rest.push(head);
      for (const tail of tails) {
        const line = rest.join('');
        const space = line.indexOf(' ');
        yield { word: line.slice(0, space), json: line.slice(space + 1) };
        rest = [tail];
      }
    }
  } catch (error) {
    // The checksum of such a file fits, so it was made by another program.
    throw codeOf(error).startsWith('Z_') ? damaged(path) : error;
  }
}

function damaged(path: string): BackupError {
  return new BackupError(`${path} is damaged: it was cut short or altered.`);
}
