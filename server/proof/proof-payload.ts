/** What a proof of work is made of, and which join it is for. */
import { createHash, createHmac } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ProofChallenge } from '../../contract/schemas.ts';

/** ALTCHA's payload: what is sent back is the challenge as it was and what solves it. */
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

/** Null for what is not Base64 of the JSON of a solved challenge. Whether it is ours and solved is not decided here. */
export function readProof(header: unknown): SolvedProof | null {
  if (typeof header !== 'string') return null;
  const bytes = Buffer.from(header, 'base64');
  // Node reads over what is no Base64, and would find the first of two.
  if (bytes.toString('base64') !== header) return null;
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return solvedProof.Check(value) ? value : null;
  } catch {
    return null;
  }
}

/** The keys that sign challenges and what solves them, each for that alone. */
export function proofKeys(secretKey: string): { readonly challenge: string; readonly solution: string } {
  const derive = (purpose: string) => createHmac('sha256', secretKey).update(`proof\0${purpose}`).digest('base64url');
  return { challenge: derive('challenge'), solution: derive('solution') };
}

/** What a challenge says of the join that it was made for, without saying its key. */
export function markOfJoin(idempotencyKey: string | null): string {
  return idempotencyKey === null ? '' : createHash('sha256').update(idempotencyKey).digest('base64url');
}

/** The key of a join that came without one: a proof is good for one join, so it can stand for it. */
export function keyOfProof({ challenge }: SolvedProof): string {
  return `proof ${challenge.parameters.nonce}`;
}
