/**
 * Proof of work for risky joins, with ALTCHA's library. Nothing is stored: a challenge is signed
 * for one Idempotency-Key, which has one answer, so a replayed proof repeats that join or fails.
 */
import { randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { ProofChallenge } from '../../../contract/schemas.ts';
import { Problem } from '../../problem.ts';
import { idempotencyKeyOf, joinDigest, proofKeys, readProof } from './proof-payload.ts';
import { PROOF_LIFETIME_MS, PROOF_WORK } from './proof-rules.ts';

type Join = { readonly idempotencyKey: string | null };

export type Proofs = {
  /**
   * Runs `admit` if `header` has a valid proof for this join. Throws Problem proof_required with
   * a new challenge if it is missing, forged, unsolved, expired, or of another join.
   */
  admitProven<J extends Join, A>(
    join: J,
    header: unknown,
    admit: (join: J & { readonly idempotencyKey: string }) => Promise<A>,
  ): Promise<A>;
};

const DETAILS = {
  missing: 'Many joins are coming in, so this one needs a short check by your browser.',
  expired: 'The check of this join has expired. Please try again.',
  wrong: 'The check of this join was not passed. Please try again.',
  spent: 'The check of this join was used for another one. Please try again.',
} as const;
type Reason = keyof typeof DETAILS;

/** `secretKey` must be the same on all servers of one database. */
export function openProofs({ secretKey }: { readonly secretKey: string }): Proofs {
  const keys = proofKeys(secretKey);
  const secrets = { hmacSignatureSecret: keys.challenge, hmacKeySignatureSecret: keys.solution };

  async function proofRequired(reason: Reason, idempotencyKey: string | null): Promise<Problem> {
    const { algorithm, cost, minTries, maxTries } = PROOF_WORK;
    const challenge = (await createChallenge({
      algorithm,
      cost,
      counter: randomInt(minTries, maxTries),
      deriveKey,
      expiresAt: new Date(Date.now() + PROOF_LIFETIME_MS),
      data: { join: joinDigest(idempotencyKey) },
      ...secrets,
    })) as ProofChallenge;
    return new Problem('proof_required', DETAILS[reason], { fields: { challenge } });
  }

  /** Returns the idempotency key to join with, or why the proof is refused. */
  async function check(
    header: unknown,
    idempotencyKey: string | null,
  ): Promise<{ key: string } | { reason: Reason }> {
    if (header === undefined) return { reason: 'missing' };
    const proof = readProof(header);
    if (proof === null) return { reason: 'wrong' };
    const { verified, expired } = await verifySolution({
      ...proof,
      solution: { time: 0, ...proof.solution },
      deriveKey,
      ...secrets,
    });
    if (expired) return { reason: 'expired' };
    if (!verified) return { reason: 'wrong' };
    if (proof.challenge.parameters.data.join !== joinDigest(idempotencyKey))
      return { reason: 'spent' };
    return { key: idempotencyKey ?? idempotencyKeyOf(proof) };
  }

  return {
    async admitProven(join, header, admit) {
      const checked = await check(header, join.idempotencyKey);
      if ('reason' in checked) throw await proofRequired(checked.reason, join.idempotencyKey);
      try {
        return await admit({ ...join, idempotencyKey: checked.key });
      } catch (error) {
        // Without a key of the client's own, the conflict means that the proof was spent.
        const isConflict = error instanceof Problem && error.code === 'idempotency_conflict';
        throw isConflict && join.idempotencyKey === null
          ? await proofRequired('spent', join.idempotencyKey)
          : error;
      }
    },
  };
}
