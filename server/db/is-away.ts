/** The classes of lost connections (08), no writes taken (25006), too many connections (53300), shutdowns and what ran out of time (57), and a failing disk (58). */
const AWAY_STATE = /^(?:08[0-9A-Z]{3}|25006|53300|57[0-9A-Z]{3}|58[0-9A-Z]{3})$/;
const AWAY_CODE = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** What the driver says without a code. */
const AWAY_MESSAGE =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/;

/** Whether the database could not be asked, or ended before it answered: then asking again later makes sense. */
export function isDatabaseAway(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return AWAY_STATE.test(code) || AWAY_CODE.test(code) || AWAY_MESSAGE.test(error.message);
}
