/** What a failed attempt to hand a mail over means for it. */

/** As nodemailer tells it. */
export type SmtpFailure = { readonly code?: string; readonly responseCode?: number; readonly command?: string };

export type Verdict = 'refused' | 'later' | 'given_up';

/** Told about this one mail: its recipient, its content. */
const ABOUT_THE_MAIL = /^(RCPT TO|DATA)/;

/**
 * Refused: the server said 5xx to the recipient or the content, and would say so again. Everything else may pass and is tried
 * again until the mail is a day old: 4xx, the network, TLS, and 5xx to the greeting, the login or the sender, which are
 * faults of a setting and would else throw away everybody's mail.
 */
export function judgeFailure(
  failure: SmtpFailure,
  { ageMs, giveUpAfterMs }: { ageMs: number; giveUpAfterMs: number },
): Verdict {
  const isPermanent = (failure.responseCode ?? 0) >= 500;
  if (isPermanent && ABOUT_THE_MAIL.test(failure.command ?? '')) return 'refused';
  return ageMs >= giveUpAfterMs ? 'given_up' : 'later';
}

const NETWORK_CODE = /^(?:ECONNECTION|ETIMEDOUT|ESOCKET|EDNS)$/;
/** "Service not available", to everybody. */
const NOT_AVAILABLE = 421;

/**
 * Whether it may be the server that is away rather than something about this one mail. Not a refused login: asked again every few
 * seconds, a provider locks the account.
 */
export function maySayServerIsAway({ code = '', responseCode, command = '' }: SmtpFailure): boolean {
  if (responseCode !== undefined) return responseCode === NOT_AVAILABLE && !ABOUT_THE_MAIL.test(command);
  return NETWORK_CODE.test(code);
}
