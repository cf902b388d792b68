import { Problem } from '../problem.ts';

export function unknownSize(size: string): Problem {
  return new Problem('invalid_field', `There is no size ${JSON.stringify(size)}.`);
}

/** Throws Problem invalid_field unless the number is one of pieces: whole, and at least `least`. */
export function assertPieces(name: string, pieces: number, least: number): void {
  if (!Number.isInteger(pieces) || pieces < least || pieces > MOST_PIECES)
    throw new Problem('invalid_field', `The ${name} must be a whole number from ${least} to ${MOST_PIECES}.`);
}

/** Far above any limited edition, and an integer to PostgreSQL. */
const MOST_PIECES = 1_000_000;
