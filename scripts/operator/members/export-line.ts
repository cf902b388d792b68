import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type { Config } from '../../../server/config.ts';
import type { Options } from '../../command-line/command.ts';
import { pathOf } from '../../command-line/working-folder.ts';
import { isCutShort, OperatorError, openOperatorCall } from '../call-operator.ts';
import { oneOf, readFilterOptions } from './member-filter.ts';

export async function exportLine(
  config: Config,
  _words: readonly string[],
  options: Options,
): Promise<void> {
  const { output } = options;
  const format = oneOf('format', options.format) ?? 'csv';
  const call = {
    method: 'POST',
    path: operatorPaths.exportMembers,
    body: { format, filter: readFilterOptions(options) },
  } as const;
  await saveExport(config, call, { what: 'The line is', output });
}

/** To the terminal, or to a new file: never overwrites one, and leaves no incomplete one. */
export async function saveExport(
  config: Config,
  call: Parameters<typeof openOperatorCall>[1],
  { what, output }: { readonly what: string; readonly output: string | undefined },
): Promise<void> {
  const { body } = await openOperatorCall(config, call);
  if (body === null) throw new OperatorError('The server sent no export.');
  const lines = Readable.fromWeb(body as ReadableStream);
  if (output === undefined)
    await pipeline(lines, process.stdout, { end: false }).catch((error) => {
      throw isCutShort(error)
        ? new OperatorError('The export is incomplete: the server closed the connection.')
        : error;
    });
  else {
    const path = pathOf(output);
    await writeFile(lines, path);
    const kilobytes = ((await stat(path)).size / 1e3).toFixed(1);
    console.log(`${what} in ${path} (${kilobytes} kB), which only you can read.`);
  }
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
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EEXIST') throw new OperatorError(`${path} exists already.`);
    const message = error instanceof Error ? error.message : error;
    const reason = isCutShort(error) ? 'the server closed the connection' : message;
    throw new OperatorError(`${path} was not written: ${reason}.`);
  }
}
