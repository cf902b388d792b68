/** How much work is asked for, and for how long it is good. Why these numbers: docs/decisions/0019-proof-of-work.md. */

/**
 * One try costs as much as 3,000 rounds of PBKDF2, and the right one is among the last 300 of 600: about 0.3 s on a desk and 1 s on a
 * phone, and never several times that. Making a challenge costs the server a single try.
 */
export const PROOF_WORK = {
  algorithm: 'PBKDF2/SHA-256',
  cost: 3_000,
  fewestTries: 300,
  mostTries: 600,
} as const;

/** Long enough for a slow device on a bad line; nothing solved is of use for longer. */
export const PROOF_LIFETIME_MS = 600_000;
