/** The proof header, and what binds a proof to one join. */
import { createHash, createHmac } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ProofChallenge } from '../../../contract/schemas.ts';

/** ALTCHA's payload: the challenge unchanged, and its solution. */
const SolvedProof = Type.Object(
  {
    challenge: ProofChallenge,
    solution: Type.Object({
      counter: Type.Integer({ minimum: 0, maximum: 0xffffffff }),
      derivedKey: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      time: Type.Optional(Type.Number()),
    }),
  },
  { additionalProperties: false },
);
export type SolvedProof = Static<typeof SolvedProof>;

const solvedProof = Compile(SolvedProof);

/** Decodes the header; null unless it is Base64 JSON of the right shape. Does not verify it. */
export function readProof(header: unknown): SolvedProof | null {
  if (typeof header !== 'string') return null;
  const bytes = Buffer.from(header, 'base64');
  // Node skips invalid Base64, and would accept the first of two values.
  if (bytes.toString('base64') !== header) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return solvedProof.Check(value) ? value : null;
  } catch {
    return null;
  }
}

/** One key to sign challenges and one to sign their solutions. */
export function proofKeys(secretKey: string): {
  readonly challenge: string;
  readonly solution: string;
} {
  const derive = (purpose: string) =>
    createHmac('sha256', secretKey).update(`proof\0${purpose}`).digest('base64url');
  return { challenge: derive('challenge'), solution: derive('solution') };
}

/** Binds a challenge to a join without revealing its idempotency key. */
export function joinDigest(idempotencyKey: string | null): string {
  return idempotencyKey === null
    ? ''
    : createHash('sha256').update(idempotencyKey).digest('base64url');
}

/** The idempotency key of a join without one: the nonce, because a proof admits one join. */
export function idempotencyKeyOf({ challenge }: SolvedProof): string {
  return `proof ${challenge.parameters.nonce}`;
}
