/** Sizes, stock and allocations from the command line. */
import type {
  Allocation,
  Allocations,
  MaskSize,
  MaskSizes,
} from '../../contract/operator/masks.ts';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import type { Config } from '../../server/config.ts';
import { type Options, UsageError } from '../command-line/command.ts';
import { print, say } from '../command-line/output.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { makeChange } from './changes/make-change.ts';
import { printable, renderTable } from './table.ts';

export async function listSizeNames(config: Config): Promise<readonly string[]> {
  return (await readSizes(config)).map(({ name }) => name);
}

/**
 * The name of a size as the server has it, from one in any case. Throws OperatorError, which lists
 * the sizes.
 */
export async function findSizeName(config: Config, text: string): Promise<string> {
  const names = await listSizeNames(config);
  const isMeant = (name: string) => name.toLowerCase() === text.toLowerCase();
  const name = names.find((one) => one === text) ?? names.find(isMeant);
  if (name !== undefined) return name;
  throw new OperatorError(`There is no size ${text}. The sizes are ${names.join(', ')}.`);
}

export async function showSizes(
  config: Config,
  _words: readonly string[],
  { json }: Options,
): Promise<void> {
  const sizes = await readSizes(config);
  print(json, sizes, () => renderSizes(sizes));
}

export async function setStock(
  config: Config,
  [text = '', pieces = '']: readonly string[],
  options: Options,
): Promise<void> {
  const stock = readCount(pieces);
  const size = await findSizeName(config, text);
  await makeChange(config, { kind: 'set-stock', input: { size, stock } }, options);
}

export async function showAllocations(
  config: Config,
  _words: readonly string[],
  { json }: Options,
): Promise<void> {
  const { allocations } = await callOperator<Allocations>(config, {
    path: operatorPaths.allocations,
  });
  print(json, allocations, () => renderAllocations(allocations));
}

export async function allocateMasks(
  config: Config,
  [text = '', pieces = '']: readonly string[],
  { note, json }: Options,
): Promise<void> {
  const [quantity, written] = [readCount(pieces), readNote(note)];
  const size = await findSizeName(config, text);
  const made = await callOperator<Allocation>(config, {
    method: 'POST',
    path: operatorPaths.allocations,
    body: { size, quantity, note: written },
  });
  print(json, made, () => renderAllocations([made]));
  say(json, `${countMasks(quantity)} of size ${size} allocated: ${printable(made.note)}`);
}

export async function releaseMasks(
  config: Config,
  [allocationId = '']: readonly string[],
  { note, json }: Options,
): Promise<void> {
  const released = await callOperator<Allocation>(config, {
    method: 'POST',
    path: fillPath(operatorPaths.release, allocationId),
    body: { note: readNote(note) },
  });
  print(json, released, () => renderAllocations([released]));
  const { quantity, size } = released;
  say(json, `${countMasks(quantity)} of size ${printable(size)} back in stock.`);
}

async function readSizes(config: Config): Promise<readonly MaskSize[]> {
  return (await callOperator<MaskSizes>(config, { path: operatorPaths.sizes })).sizes;
}

function countMasks(count: number): string {
  return `${count} ${count === 1 ? 'mask' : 'masks'}`;
}

export function renderSizes(sizes: readonly MaskSize[]): string {
  const rows = sizes.map(({ name, stock, allocated, available }) => [
    name,
    stock,
    allocated,
    available,
  ]);
  return renderTable(['Size', 'Stock', 'Allocated', 'Available'], rows);
}

function renderAllocations(allocations: readonly Allocation[]): string {
  const rows = allocations.map(
    ({ id, size, quantity, allocated_at, note, released_at, release_note }) => [
      id,
      size,
      quantity,
      allocated_at,
      note,
      released_at === null ? '' : `${released_at} (${release_note ?? ''})`,
    ],
  );
  return renderTable(['Id', 'Size', 'Quantity', 'Allocated', 'Note', 'Released'], rows);
}

function readCount(text: string): number {
  if (/^\d{1,7}$/.test(text)) return Number(text);
  throw new UsageError(`${text} is not a whole number.`);
}

function readNote(note: string | undefined): string {
  if (note?.trim()) return note;
  throw new UsageError('Add --note "...": for whom, or why.');
}
