/** The cost and lifetime of a proof of work, explained in docs/decisions/0019-proof-of-work.md. */

/**
 * A try is 3,000 rounds of PBKDF2, and the solution is between try 300 and 600: about 0.3 s on a
 * desktop and 1 s on a phone. Creating a challenge costs the server a single try.
 */
export const PROOF_WORK = {
  algorithm: 'PBKDF2/SHA-256',
  cost: 3_000,
  minTries: 300,
  maxTries: 600,
} as const;

/** Long enough for a slow device on a bad connection. */
export const PROOF_LIFETIME_MS = 600_000;
