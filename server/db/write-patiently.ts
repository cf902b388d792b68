import { setTimeout as delay } from 'node:timers/promises';

const RETRY_MS = 250;

/**
 * Repeats a write while the database fails over: what has been sent, but is not recorded, would be
 * sent twice. Throws the error that comes after `patienceMs`, or after `signal`.
 */
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
