import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Config } from '../../server/config.ts';
import type { Options } from '../command-line/options.ts';
import { pathOf } from '../command-line/working-folder.ts';
import { isCutShort, OperatorError, openOperatorCall } from './call-operator.ts';

type Export = { readonly path: string } & NonNullable<Parameters<typeof openOperatorCall>[2]>;

export async function saveExport(
  config: Config,
  { path, ...request }: Export,
  what: string,
  { output }: Options,
): Promise<void> {
  const { body } = await openOperatorCall(config, path, request);
  if (body === null) throw new OperatorError('The server sent no export.');
  const lines = Readable.fromWeb(body as ReadableStream);
  if (output === undefined)
    return await pipeline(lines, process.stdout, { end: false }).catch((error) => {
      throw isCutShort(error)
        ? new OperatorError('The export is incomplete: the server closed the connection.')
        : error;
    });
  const file = pathOf(output);
  await writeFile(lines, file);
  const kilobytes = ((await stat(file)).size / 1e3).toFixed(1);
  console.log(`${what} in ${file} (${kilobytes} kB), which only you can read.`);
}

async function writeFile(lines: Readable, path: string): Promise<void> {
  let isOurs = false;
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' }).on('open', () => {
    isOurs = true;
  });
  try {
    await pipeline(lines, file);
  } catch (error) {
    if (isOurs) await rm(path, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw new OperatorError(`${path} exists already.`);
    const reason = isCutShort(error) ? 'the server closed the connection' : message;
    throw new OperatorError(`${path} was not written: ${reason}.`);
  }
}
