import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { runFfmpeg } from './ffmpeg.ts';
import type { OutputFile } from './output-file.ts';

export type Encoding = {
  /** Path of the file to make; its extension decides the container. */
  readonly target: string;
  /** Inputs and encoder, without the quality. */
  readonly options: readonly string[];
  /** Standard input; opened for each attempt. */
  readonly openInput?: () => Readable;
  /** The encoder's option for constant quality. */
  readonly qualityOption: '-crf' | '-q:v';
  /** Best first. */
  readonly qualities: readonly number[];
  readonly maxBytes: number;
};

/** Encodes at the best quality whose file fits; rejects if none does. */
export async function encodeUnder(encoding: Encoding): Promise<OutputFile> {
  const { target, options, openInput, qualityOption, qualities, maxBytes } = encoding;
  const name = basename(target);
  for (const quality of qualities) {
    const bare = ['-map_metadata', '-1', '-fflags', '+bitexact'];
    await runFfmpeg([...options, qualityOption, String(quality), ...bare, target], openInput?.());
    const bytes = await readFile(target);
    if (bytes.length > maxBytes) continue;
    console.log(`${name} at quality ${quality}`);
    return { name, bytes };
  }
  throw new Error(`${name} is over ${maxBytes} bytes at every quality`);
}
