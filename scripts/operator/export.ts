import { existsSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Config } from '../../server/config.ts';
import { codeOf, reasonOf } from '../../server/startup-error.ts';
import type { Options } from '../command-line/options.ts';
import { pathOf } from '../command-line/working-folder.ts';
import { isCutShort, isExpected, OperatorError, openOperatorCall } from './call-operator.ts';

type Export = { readonly path: string } & NonNullable<Parameters<typeof openOperatorCall>[2]>;

export async function saveExport(
  config: Config,
  { path, ...request }: Export,
  what: string,
  { output }: Options,
): Promise<void> {
  const openLines = async () => {
    const { body } = await openOperatorCall(config, path, request);
    if (body === null) throw new OperatorError('The server sent no export.');
    return Readable.fromWeb(body as ReadableStream);
  };
  if (output === undefined)
    return await pipeline(await openLines(), process.stdout, { end: false }).catch((error) => {
      throw isCutShort(error)
        ? new OperatorError('The export is incomplete: the server closed the connection.')
        : error;
    });
  const file = pathOf(output);
  await writeFile(openLines, file);
  const kilobytes = ((await stat(file)).size / 1e3).toFixed(1);
  console.log(`${what} in ${file} (${kilobytes} kB), which only you can read.`);
}

async function writeFile(openLines: () => Promise<Readable>, path: string): Promise<void> {
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
}

const FOLDER_FAULTS: Readonly<Record<string, string>> = {
  MISSING: 'does not exist. Make it, or name another',
  ENOENT: 'takes no files. Name another',
  ENOTDIR: 'is not a folder. Name another',
  EACCES: 'may not be written by this user. Change its owner, or name another',
  EPERM: 'may not be written by this user. Change its owner, or name another',
  EROFS: 'is on a disk that is read-only. Name another',
};

/** Returns the error itself when it is about another file, such as one of the data folder. */
export function unwritten(path: string, error: unknown): unknown {
  const { path: refused = path } = error as NodeJS.ErrnoException;
  if (refused !== path && refused !== `${path}.unfinished`) return error;
  const code = codeOf(error);
  if (code === 'EEXIST') return new OperatorError(`${path} exists already.`);
  const folder = dirname(path);
  const fault = FOLDER_FAULTS[code === 'ENOENT' && !existsSync(folder) ? 'MISSING' : code];
  const ofFolder = fault === undefined ? null : `the folder ${folder} ${fault}`;
  const reason = isCutShort(error) ? 'the server closed the connection' : reasonOf(error);
  return new OperatorError(`${path} was not written: ${ofFolder ?? reason}.`);
}
