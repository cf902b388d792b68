import type { MaskSize } from '../../../contract/operator/masks.ts';
import { conflict, invalidField, type Problem } from '../../problem.ts';

const MAX_PIECES = 1_000_000;

export function findSize(sizes: readonly MaskSize[], name: string): MaskSize {
  const found = sizes.find((size) => size.name === name);
  if (found === undefined) throw invalidField(`There is no size ${JSON.stringify(name)}.`);
  return found;
}

export function heldFor({ name, held }: Pick<MaskSize, 'name' | 'held'>): Problem {
  return conflict(
    `${held} of size ${name} are announced for the drop, and not offered yet: amend the ` +
      'announced numbers first, which is public.',
  );
}

export function assertPieces(name: string, pieces: number, min: number): void {
  if (!Number.isInteger(pieces) || pieces < min || pieces > MAX_PIECES)
    throw invalidField(`The ${name} must be a whole number from ${min} to ${MAX_PIECES}.`);
}

/** Throws Problem invalid_field for a name that a brand file cannot have. */
export function assertSizeName(name: string, text: string): void {
  if (text !== text.trim() || !/^\P{C}+$/u.test(text))
    throw invalidField(`The ${name} must be printable characters without a space at either end.`);
}
