/** Sizes, stock and allocations from the command line. */
import type {
  Allocation,
  Allocations,
  MaskSize,
  MaskSizes,
} from '../../contract/operator/masks.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { Config } from '../../server/config.ts';
import type { Options } from '../command-line/command.ts';
import { print } from '../command-line/output.ts';
import { callOperator, OperatorError } from './call-operator.ts';
import { renderTable } from './table.ts';

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

async function readSizes(config: Config): Promise<readonly MaskSize[]> {
  return (await callOperator<MaskSizes>(config, { path: operatorPaths.sizes })).sizes;
}

function renderSizes(sizes: readonly MaskSize[]): string {
  const rows = sizes.map(({ name, stock, allocated, offered, available }) => [
    name,
    stock,
    allocated,
    offered,
    available,
  ]);
  return renderTable(['Size', 'Stock', 'Allocated', 'Offered', 'Available'], rows);
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
