/** One idempotency key per join: a retry with the same address and referral sends it again. */
import type { JoinAttempt } from './waitlist.ts';

type Body = Pick<JoinAttempt, 'email' | 'referredBy'>;

export function createJoinKeys(makeKey: () => string = makeRandomKey): (body: Body) => string {
  let lastBody = '';
  let lastKey = '';
  return ({ email, referredBy }) => {
    const body = JSON.stringify([email, referredBy]);
    if (body !== lastBody) {
      lastBody = body;
      lastKey = makeKey();
    }
    return lastKey;
  };
}

/** Browsers lack `crypto.randomUUID` over plain HTTP on a local network. */
function makeRandomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
