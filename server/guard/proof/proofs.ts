/** Nothing is stored: a challenge is signed for one Idempotency-Key (decision 0019). */
import { createHash, createHmac, randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ProofChallenge } from '../../../contract/schemas.ts';
import { Problem } from '../../problem.ts';

/** 0.3 s on a desktop and 1 s on a phone. A challenge costs the server a single try. */
export const PROOF_WORK = {
  algorithm: 'PBKDF2/SHA-256',
  cost: 3_000,
  minTries: 300,
  maxTries: 600,
} as const;

const PROOF_LIFETIME_MS = 600_000;

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
type SolvedProof = Static<typeof SolvedProof>;

const solvedProof = Compile(SolvedProof);

type Join = { readonly idempotencyKey: string | null };

const DETAILS = {
  missing: 'Many joins are coming in, so this one needs a short check by your browser.',
  expired: 'The check of this join has expired. Please try again.',
  wrong: 'The check of this join was not passed. Please try again.',
  spent: 'The check of this join was used for another one. Please try again.',
} as const;
type Reason = keyof typeof DETAILS;

/** `secretKey` must be the same on all servers of one database. */
export function openProofs({ secretKey }: { readonly secretKey: string }) {
  const derive = (purpose: string) =>
    createHmac('sha256', secretKey).update(`proof\0${purpose}`).digest('base64url');
  const secrets = {
    hmacSignatureSecret: derive('challenge'),
    hmacKeySignatureSecret: derive('solution'),
  };

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
    /** Throws Problem proof_required with a new challenge, unless `header` has a valid proof. */
    async admitProven<J extends Join, A>(
      join: J,
      header: unknown,
      admit: (join: J & { readonly idempotencyKey: string }) => Promise<A>,
    ): Promise<A> {
      const checked = await check(header, join.idempotencyKey);
      if ('reason' in checked) throw await proofRequired(checked.reason, join.idempotencyKey);
      try {
        return await admit({ ...join, idempotencyKey: checked.key });
      } catch (error) {
        // When the client sent no key of its own, a conflict means that the proof was spent.
        const isConflict = error instanceof Problem && error.code === 'idempotency_conflict';
        throw isConflict && join.idempotencyKey === null
          ? await proofRequired('spent', join.idempotencyKey)
          : error;
      }
    },
  };
}

function readProof(header: unknown): SolvedProof | null {
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

function joinDigest(idempotencyKey: string | null): string {
  return idempotencyKey === null
    ? ''
    : createHash('sha256').update(idempotencyKey).digest('base64url');
}

/** The nonce is the idempotency key of a join without one: a proof admits one join. */
function idempotencyKeyOf({ challenge }: SolvedProof): string {
  return `proof ${challenge.parameters.nonce}`;
}
