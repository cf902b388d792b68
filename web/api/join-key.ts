/** One idempotency key per join: a retry with the same entry sends it again. */
import type { JoinEntry } from '../../contract/schemas.ts';

export function createJoinKeys(makeKey: () => string = makeRandomKey) {
  let lastBody = '';
  let lastKey = '';
  return (entry: JoinEntry): string => {
    const body = JSON.stringify(entry);
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
