import { isUnavailableError } from '../../server/db/postgres/is-unavailable-error.ts';
import { Problem } from '../../server/problem.ts';

/**
 * For tests of what many do at once, not of how many a machine bears: one who waited too long for a
 * place in a batch, or for a connection, was refused before anything happened, and asks again.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      const isTooBusy = error instanceof Problem && error.code === 'too_busy';
      if (!isTooBusy && !isUnavailableError(error)) throw error;
    }
}
