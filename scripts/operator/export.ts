import { open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf, reasonOf } from '../../server/startup-error.ts';
import { pathOf } from '../command-line/working-folder.ts';
import { isCutShort, isExpected, OperatorError } from './call-operator.ts';

/** To a new file that only this user can read, or to the terminal. */
export async function saveExport(
  openLines: () => Promise<Readable>,
  what: string,
  output: string | undefined,
): Promise<void> {
  if (output === undefined)
    return await pipeline(await openLines(), process.stdout, { end: false }).catch((error) => {
      throw isCutShort(error)
        ? new OperatorError('The export is incomplete: the server closed the connection.')
        : error;
    });
  const path = pathOf(output);
  // The file is opened before the call, because the server makes one export at a time.
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw unwritten(path, error);
  });
  try {
    await pipeline(await openLines(), file.createWriteStream());
  } catch (error) {
    await rm(path, { force: true });
    throw isExpected(error) ? error : unwritten(path, error);
  } finally {
    await file.close();
  }
  const kilobytes = ((await stat(path)).size / 1e3).toFixed(1);
  console.log(`${what} in ${path} (${kilobytes} kB), which only you can read.`);
}

/** Returns the error itself when it is about another file, such as one of the data folder. */
export function unwritten(path: string, error: unknown): unknown {
  const { path: refused = path } = error as NodeJS.ErrnoException;
  if (refused !== path && refused !== `${path}.unfinished`) return error;
  const code = codeOf(error);
  if (code === 'EEXIST') return new OperatorError(`${path} exists already.`);
  const reason = isCutShort(error) ? 'the server closed the connection' : reasonOf(error);
  const isOfFolder = ['EACCES', 'ENOENT', 'ENOTDIR', 'EPERM', 'EROFS'].includes(code);
  const place = isOfFolder ? ` to the folder ${dirname(path)}` : '';
  return new OperatorError(`${path} was not written${place}: ${reason}.`);
}
