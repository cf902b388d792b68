import { codeOf } from '../../startup-error.ts';

/**
 * Lost connections (08), read-only (25006), no room on the disk or for a connection (53), shutdown
 * (57P), a failing disk (58).
 */
const AWAY_STATE = /^(?:08[0-9A-Z]{3}|25006|53[0-9A-Z]{3}|57P[0-9A-Z]{2}|58[0-9A-Z]{3})$/;
const AWAY_CODE =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** Messages of the driver that have no code. */
const AWAY_MESSAGE =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;

/** A query that was cancelled: it took longer than our own limit. */
const CANCELLED = '57014';

/** Whether PostgreSQL ended a query because it took too long. That is no outage. */
export function isTimeLimitError(error: unknown): boolean {
  return codeOf(error) === CANCELLED;
}

/**
 * Whether the database did not answer, so that a later retry makes sense. Of errors, and of the
 * plain objects that pg-boss makes of them.
 */
export function isUnavailableError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code = '', message = '' } = error as { code?: unknown; message?: unknown };
  return (
    AWAY_STATE.test(String(code)) ||
    AWAY_CODE.test(String(code)) ||
    AWAY_MESSAGE.test(String(message))
  );
}
