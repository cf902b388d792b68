import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { OutputFile } from '../../scripts/pictures/brand-icons.ts';

type Encoding = {
  readonly target: string;
  readonly options: readonly string[];
  readonly input?: readonly Uint8Array[];
  readonly qualityOption: '-crf' | '-q:v';
  readonly qualities: readonly number[];
  readonly maxBytes: number;
};

/** Encodes at the best quality whose file fits; rejects if none does. */
export async function encodeUnder(encoding: Encoding): Promise<OutputFile> {
  const { target, options, input, qualityOption, qualities, maxBytes } = encoding;
  const name = basename(target);
  for (const quality of qualities) {
    const bare = ['-map_metadata', '-1', '-fflags', '+bitexact'];
    await runFfmpeg([...options, qualityOption, String(quality), ...bare, target], input);
    const bytes = await readFile(target);
    if (bytes.length > maxBytes) continue;
    console.log(`${name} at quality ${quality}`);
    return { name, bytes };
  }
  throw new Error(`${name} is over ${maxBytes} bytes at every quality`);
}

export function runFfmpeg(
  args: readonly string[],
  input: Iterable<Uint8Array> = [],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('nice', ['-n', '15', 'ffmpeg', '-hide_banner', '-y', ...args]);
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`ffmpeg: ${log.slice(-800)}`)),
    );
    // If ffmpeg closes the pipe early, its exit code says why.
    pipeline(input, child.stdin).catch(() => undefined);
  });
}
