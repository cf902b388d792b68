import { createHash, timingSafeEqual } from 'node:crypto';
import type { Limits } from '../../guard/limits/limits.ts';
import type { TokenCheck } from '../../http/http-server.ts';
import { Problem } from '../../problem.ts';

/** Passes with the operator's bearer token; otherwise answers 401, or 429 after too many tries. */
export function openTokenCheck({
  operatorToken,
  limits,
}: {
  operatorToken: string;
  limits: Limits;
}): TokenCheck {
  const expected = hash(operatorToken);
  return async (request) => {
    const shown = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (timingSafeEqual(hash(shown), expected)) return;
    limits.countWrongToken(request.ip);
    throw new Problem('not_authorized', 'This needs the operator token.');
  };
}

/** Hashes have equal lengths, as the constant-time comparison requires. */
function hash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
