import { Problem } from '../problem.ts';

export function unknownSize(size: string): Problem {
  return new Problem('invalid_field', `There is no size ${JSON.stringify(size)}.`);
}

/** Throws Problem invalid_field unless the number is one of pieces: whole, and at least `least`. */
export function assertPieces(name: string, pieces: number, least: number): void {
  if (!Number.isInteger(pieces) || pieces < least || pieces > MOST_PIECES)
    throw new Problem('invalid_field', `The ${name} must be a whole number from ${least} to ${MOST_PIECES}.`);
}

/** Throws Problem invalid_field for what no database of ours can keep. */
export function assertStorable(name: string, text: string): void {
  if (text.includes('\0')) throw new Problem('invalid_field', `The ${name} must not have a NUL character.`);
}

/** Far above any limited edition, and an integer to PostgreSQL. */
const MOST_PIECES = 1_000_000;
