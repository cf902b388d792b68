/**
 * The step-up for joins when risk is raised: a challenge that a browser solves by itself, made and checked by ALTCHA's library.
 * Nothing is stored. A challenge is signed for the Idempotency-Key of one join, and a key has one answer: a proof that is sent
 * again, to any server and also after a restart, is the same join again or is refused.
 */
import { randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { ProofChallenge } from '../../contract/schemas.ts';
import { Problem } from '../problem.ts';
import { keyOfProof, markOfJoin, proofKeys, readProof } from './proof-payload.ts';
import { PROOF_LIFETIME_MS, PROOF_WORK } from './proof-rules.ts';

type Join = { readonly idempotencyKey: string | null };

export type Proofs = {
  /**
   * Takes the join when `header` carries a proof that was made for it. Throws Problem proof_required, with a fresh challenge, when there
   * is none, or one that is forged, not solved, expired, made for another join or spent on one.
   */
  takeProven<J extends Join, A>(
    join: J,
    header: unknown,
    take: (join: J & { readonly idempotencyKey: string }) => Promise<A>,
  ): Promise<A>;
};

const DETAILS = {
  missing: 'Many joins are coming in, so this one needs a short check by your browser.',
  expired: 'The check of this join has expired. Please try again.',
  wrong: 'The check of this join was not passed. Please try again.',
  spent: 'The check of this join was used for another one. Please try again.',
} as const;
type Reason = keyof typeof DETAILS;

/** `secretKey` is the same on all servers of one database. */
export function openProofs({ secretKey }: { readonly secretKey: string }): Proofs {
  const keys = proofKeys(secretKey);
  const secrets = { hmacSignatureSecret: keys.challenge, hmacKeySignatureSecret: keys.solution };

  async function refusalOf(reason: Reason, idempotencyKey: string | null): Promise<Problem> {
    const { algorithm, cost, fewestTries, mostTries } = PROOF_WORK;
    const challenge = (await createChallenge({
      algorithm,
      cost,
      counter: randomInt(fewestTries, mostTries),
      deriveKey,
      expiresAt: new Date(Date.now() + PROOF_LIFETIME_MS),
      data: { join: markOfJoin(idempotencyKey) },
      ...secrets,
    })) as ProofChallenge;
    return new Problem('proof_required', DETAILS[reason], { more: { challenge } });
  }

  /** The key to join with; or why there is none. */
  async function check(header: unknown, idempotencyKey: string | null): Promise<{ key: string } | { reason: Reason }> {
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
    if (proof.challenge.parameters.data.join !== markOfJoin(idempotencyKey)) return { reason: 'spent' };
    return { key: idempotencyKey ?? keyOfProof(proof) };
  }

  return {
    async takeProven(join, header, take) {
      const checked = await check(header, join.idempotencyKey);
      if ('reason' in checked) throw await refusalOf(checked.reason, join.idempotencyKey);
      try {
        return await take({ ...join, idempotencyKey: checked.key });
      } catch (error) {
        // Who has sent no key is told of the proof: it stood for one.
        const isConflict = error instanceof Problem && error.code === 'idempotency_conflict';
        throw isConflict && join.idempotencyKey === null ? await refusalOf('spent', join.idempotencyKey) : error;
      }
    },
  };
}
