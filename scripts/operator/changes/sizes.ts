/** Stock, sizes and allocations, changed from the command line. */
import type { Config } from '../../../server/config.ts';
import { type Options, UsageError } from '../../command-line/command.ts';
import { findSizeName } from '../masks.ts';
import { makeChange } from './make-change.ts';

type Words = readonly string[];

export async function setStock(
  config: Config,
  [text = '', pieces = '']: Words,
  options: Options,
): Promise<void> {
  const stock = readCount(pieces);
  const size = await findSizeName(config, text);
  await makeChange(config, { kind: 'set-stock', input: { size, stock } }, options);
}

export async function renameSize(
  config: Config,
  [text = '', name = '']: Words,
  options: Options,
): Promise<void> {
  const size = await findSizeName(config, text);
  await makeChange(config, { kind: 'rename-size', input: { size, name } }, options);
}

export async function removeSize(
  config: Config,
  [text = '']: Words,
  options: Options,
): Promise<void> {
  const size = await findSizeName(config, text);
  await makeChange(config, { kind: 'remove-size', input: { size } }, options);
}

export async function allocateMasks(
  config: Config,
  [text = '', pieces = '']: Words,
  options: Options,
): Promise<void> {
  const [quantity, note] = [readCount(pieces), readNote(options)];
  const size = await findSizeName(config, text);
  const input = { size, quantity, note };
  await makeChange(config, { kind: 'allocate-masks', input }, { reason: note, ...options });
}

export async function releaseMasks(
  config: Config,
  [allocationId = '']: Words,
  options: Options,
): Promise<void> {
  const note = readNote(options);
  const input = { allocation_id: allocationId, note };
  await makeChange(config, { kind: 'release-masks', input }, { reason: note, ...options });
}

/** A whole number of pieces or points. Throws UsageError. */
export function readCount(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new UsageError(`${text} is not a whole number.`);
}

/** Also the reason, unless there is another one. */
function readNote({ note }: Options): string {
  if (note?.trim()) return note;
  throw new UsageError('Add --note "...": for whom, or why.');
}
