import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Limits } from '../limits/limits.ts';
import { Problem } from '../problem.ts';

/** An `onRequest` hook: passes with the operator's bearer token, else answers 401, or 429 to who keeps trying. */
export type TokenCheck = (request: FastifyRequest) => Promise<void>;

export function openTokenCheck({ operatorToken, limits }: { operatorToken: string; limits: Limits }): TokenCheck {
  const expected = hash(operatorToken);
  return async (request) => {
    const shown = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (timingSafeEqual(hash(shown), expected)) return;
    limits.countWrongToken(request.ip);
    throw new Problem('not_authorized', 'This needs the operator token.');
  };
}

/** Equal lengths for the comparison that takes constant time. */
function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
