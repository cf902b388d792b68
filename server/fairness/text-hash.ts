/** Hashes of 32 bits for the memory of joins, drawn anew at each start. */
import { randomInt } from 'node:crypto';

/** Nobody outside can find two texts with one hash. */
const SEED = randomInt(2 ** 32) | 0;

/** 0 for the empty text alone. */
export function hash32(text: string): number {
  if (text === '') return 0;
  let hash = SEED;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x5bd1e995) ^ (hash >>> 15);
  hash = Math.imul(hash ^ (hash >>> 13), 0x5bd1e995);
  return hash ^ (hash >>> 15) || 1;
}
