/** A network with so many joins that the next one needs a proof of work. */
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { apiPaths, IDEMPOTENCY_KEY_HEADER, PROOF_HEADER } from '../../contract/paths.ts';
import type { ProofChallenge } from '../../contract/schemas.ts';
import type { App } from '../../server/app.ts';
import { PROOF_WORK } from '../../server/guard/proof/proofs.ts';

export type Sent = {
  readonly email: string;
  readonly key?: string | null;
  readonly proof?: string;
};

/** More than any limit allows. */
const MOST_TRIES = 1000;
export const CROWD_KEY = 'key-of-all-joins-of-a-crowd';

let networks = 0;

/** An address in a network that no other test has used. */
export function newNetwork(): string {
  networks += 1;
  return `198.51.${Math.floor(networks / 250)}.${1 + (networks % 250)}`;
}

export const headersOf = ({ email, key = email, proof }: Sent) => ({
  ...(key !== null && { [IDEMPOTENCY_KEY_HEADER]: key }),
  ...(proof !== undefined && { [PROOF_HEADER]: proof }),
});

export function sendJoin(app: Pick<App, 'fastify'>, remoteAddress: string, sent: Sent) {
  return app.fastify.inject({
    method: 'POST',
    url: apiPaths.join,
    payload: { email: sent.email, referred_by: null },
    headers: headersOf(sent),
    remoteAddress,
  });
}

/**
 * Sends joins until one needs a proof, and returns how many did not. Their key is the same, so that
 * all but the first of them are counted and make no member.
 */
export async function raiseRisk(app: Pick<App, 'fastify'>, remoteAddress: string): Promise<number> {
  for (let count = 0; count < MOST_TRIES; count += 1) {
    const sent = { email: `crowd-${count}-${remoteAddress}@example.com`, key: CROWD_KEY };
    const { statusCode } = await sendJoin(app, remoteAddress, sent);
    if (statusCode === 428) return count;
    if (![201, 422].includes(statusCode))
      throw new Error(`The ${count}th join was answered ${statusCode}.`);
  }
  throw new Error('The risk is never raised.');
}

/** Solves as a browser does, except that it skips the tries that never succeed. */
export async function solve(challenge: ProofChallenge): Promise<string> {
  const solution = await solveChallenge({
    challenge,
    deriveKey,
    counterStart: PROOF_WORK.minTries,
  });
  return encodeProof({ challenge, solution });
}

function encodeProof(payload: unknown): string {
  return Buffer.from(JSON.stringify(payload)).toString('base64');
}
