import { Problem } from '../problem.ts';

/** The database did not do what was asked; `cause` says why, to the log alone. */
export function lineUnavailable(cause: unknown): Problem {
  return new Problem('unavailable', 'The line cannot be reached right now. Please try again in a few seconds.', {
    retryAfterSeconds: 5,
    cause,
  });
}
