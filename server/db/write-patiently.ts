import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 250;

/** A write is repeated in a failover: what is sent, but not recorded, would be sent twice. */
export async function writePatiently<T>(
  write: () => Promise<T>,
  { patienceMs, signal }: { patienceMs: number; signal: AbortSignal },
): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;)
    try {
      return await write();
    } catch (error) {
      if (signal.aborted || performance.now() > deadline) throw error;
      await delay(RETRY_MS);
    }
}
