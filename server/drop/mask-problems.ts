import { Problem } from '../problem.ts';

/** Far above any limited edition. */
const MAX_PIECES = 1_000_000;

export function unknownSize(size: string): Problem {
  return new Problem('invalid_field', `There is no size ${JSON.stringify(size)}.`);
}

/** Throws Problem invalid_field unless `pieces` is a whole number from `min` to MAX_PIECES. */
export function assertPieces(name: string, pieces: number, min: number): void {
  if (!Number.isInteger(pieces) || pieces < min || pieces > MAX_PIECES)
    throw new Problem(
      'invalid_field',
      `The ${name} must be a whole number from ${min} to ${MAX_PIECES}.`,
    );
}

/** Throws Problem invalid_field for text that PostgreSQL cannot store. */
export function assertStorable(name: string, text: string): void {
  if (text.includes('\0'))
    throw new Problem('invalid_field', `The ${name} must not contain a NUL character.`);
}
