import type { Call } from '../command-line/command.ts';
import { readGivenFile } from '../command-line/working-folder.ts';
import { readReason } from './ask.ts';
import { OperatorError } from './call-operator.ts';
import { type Input, makeChange } from './changes.ts';

/** A call holds 16 KB, and some of that is not codes. */
const MAX_BYTES = 10_000;
const MAX_CODES = 200;

export async function changeCodeFile<
  Kind extends 'import-codes' | 'swap-passes' | 'mark-masks-sent',
>(
  kind: Kind,
  { config, options }: Pick<Call, 'config' | 'options'>,
  path = '',
  purpose: Input<Kind> = {},
): Promise<void> {
  const text = await readGivenFile(path);
  const codes = text.split(/\r?\n/).flatMap((line) => line.trim() || []);
  if (codes.length === 0) throw new OperatorError(`${path} has no codes.`);
  if (new Set(codes).size < codes.length)
    throw new OperatorError(`${path} has a code twice: nothing was changed.`);
  const field = kind === 'mark-masks-sent' ? 'parcels' : 'codes';
  const all = options.preview ? options : { ...options, reason: await readReason(options) };
  for (const part of inParts(codes))
    await makeChange({ config, options: all }, kind, { ...purpose, [field]: part } as Input<Kind>);
}

function inParts(codes: readonly string[]): string[][] {
  const parts: string[][] = [];
  let bytes = MAX_BYTES;
  for (const code of codes) {
    const size = Buffer.byteLength(code) + 3;
    bytes += size;
    if (bytes > MAX_BYTES || (parts.at(-1)?.length ?? 0) >= MAX_CODES) {
      parts.push([]);
      bytes = size;
    }
    parts.at(-1)?.push(code);
  }
  return parts;
}
