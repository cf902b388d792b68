import { isUnavailableError } from '../../server/db/postgres/is-unavailable-error.ts';
import { Problem } from '../../server/problem.ts';

/**
 * Tests of what many do at once do not judge how many a machine bears: who waited too long for a
 * place in a batch, or for a connection, was refused before anything happened, and tries again.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      const isTooBusy =
        error instanceof Problem && (error.code === 'too_busy' || error.code === 'unavailable');
      if (!isTooBusy && !isUnavailableError(error)) throw error;
    }
}
