import { codeOf } from '../../startup-error.ts';

/** SQLSTATEs of lost connections, a standby, exhausted resources, shutdown and failing disks. */
const AWAY_STATE = /^(?:08[0-9A-Z]{3}|25006|53[0-9A-Z]{3}|57P[0-9A-Z]{2}|58[0-9A-Z]{3})$/;
const AWAY_CODE =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const AWAY_MESSAGES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
];

const CANCELLED = '57014';
export const DISK_FULL = '53100';

export function isTimeLimitError(error: unknown): boolean {
  return codeOf(error) === CANCELLED;
}

/** Whether a later retry makes sense. Accepts the plain objects that pg-boss makes of errors. */
export function isUnavailableError(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code = '', message = '' } = error as { code?: unknown; message?: unknown };
  return (
    AWAY_STATE.test(String(code)) ||
    AWAY_CODE.test(String(code)) ||
    AWAY_MESSAGES.some((away) => String(message).startsWith(away))
  );
}
