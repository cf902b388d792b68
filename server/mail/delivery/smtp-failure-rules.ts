/** What a failed conversation with a mail server means, without its words: they quote addresses. */
import {
  CONNECTION_FAILURES,
  type ConnectionFailure,
  connectionFailureOf,
} from '../../connection-failure-rules.ts';

/** `obsolete`: the member has left, or the content is no longer true. */
export type MailOutcome = 'sent' | 'refused' | 'given_up' | 'later' | 'suppressed' | 'obsolete';

export type MailCause =
  | ConnectionFailure
  | 'TLS not offered'
  | 'login refused'
  | 'service not available'
  | 'sender refused'
  | 'greylisted or put off'
  | 'recipient refused'
  | 'content refused'
  | 'not composed'
  | 'unknown';

export type SmtpFailure = {
  readonly cause: MailCause;
  readonly errorCode?: string;
  readonly responseCode?: number;
  readonly command?: string;
};

export function readFailure(error: unknown): SmtpFailure {
  if (!(error instanceof Error)) return { cause: 'unknown' };
  const { code, originalCode, responseCode, command } = error as Error & Record<string, unknown>;
  const errorCode = typeof originalCode === 'string' ? originalCode : code;
  const known = {
    ...(typeof errorCode === 'string' && { errorCode }),
    ...(typeof responseCode === 'number' && { responseCode }),
    ...(typeof command === 'string' && { command: command.slice(0, 40) }),
  };
  return { cause: causeOf(typeof code === 'string' ? code : '', known), ...known };
}

/** nodemailer's codes, where neither Node's nor the response says more. */
const BY_CODE: Readonly<Record<string, MailCause>> = {
  EDNS: 'host not found',
  ETIMEDOUT: 'no answer in time',
  ECONNECTION: 'connection lost',
  ESOCKET: 'connection lost',
  EPROTOCOL: 'service not available',
};

function causeOf(
  code: string,
  { errorCode = '', responseCode = 0, command = '' }: Omit<SmtpFailure, 'cause'>,
): MailCause {
  const connectionFailure = connectionFailureOf(errorCode);
  if (connectionFailure !== null) return connectionFailure;
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login refused';
  if (code === 'ETLS') return responseCode > 0 ? 'TLS not offered' : 'TLS failed';
  if (responseCode === NOT_AVAILABLE) return 'service not available';
  if (responseCode > 0 && /^(?:MAIL FROM|RCPT TO|DATA)/.test(command)) {
    if (responseCode < 500) return 'greylisted or put off';
    if (command.startsWith('MAIL')) return 'sender refused';
    return command.startsWith('RCPT') ? 'recipient refused' : 'content refused';
  }
  return BY_CODE[code] ?? 'unknown';
}

const ADVICE: Partial<Readonly<Record<MailCause, string>>> = {
  'host not found': 'Check the host in SMTP_URL.',
  'connection refused': 'Check host and port in SMTP_URL, and that the mail server runs.',
  'TLS not offered': 'Use smtps://, or allow plain text with ?tls=off at the end of SMTP_URL.',
  'TLS failed': 'Use smtps:// for a port that begins with TLS, and smtp:// for all others.',
  'certificate not trusted': 'Name the file of its certificate authority in SMTP_CA.',
  'certificate expired':
    'Renew the certificate of the mail server, or correct the clock of this machine.',
  'certificate of another host': 'Name the mail server in SMTP_URL as its certificate does.',
  'login refused': 'Check user and password in SMTP_URL.',
  'sender refused': 'Set MAIL_FROM to an address that the mail server accepts.',
};

export function adviceFor(cause: MailCause): string | null {
  return ADVICE[cause] ?? null;
}

export function isAboutTheMail({ responseCode = 0, command = '' }: SmtpFailure): boolean {
  return responseCode > 0 && /^(RCPT TO|DATA)/.test(command);
}

/** A 5xx to the recipient or content is final. Giving up on wrong settings would lose all mail. */
export function judgeFailure(
  failure: SmtpFailure,
  { ageMs, giveUpAfterMs }: { ageMs: number; giveUpAfterMs: number },
): Extract<MailOutcome, 'refused' | 'later' | 'given_up'> {
  if (isAboutTheMail(failure) && (failure.responseCode ?? 0) >= 500) return 'refused';
  return ageMs >= giveUpAfterMs ? 'given_up' : 'later';
}

/** RFC 5321: "Service not available, closing transmission channel". */
const NOT_AVAILABLE = 421;

/** False for a refused login: providers lock accounts that try again every few seconds. */
export function mayMeanServerDown(failure: SmtpFailure): boolean {
  const { cause, errorCode, responseCode } = failure;
  if (responseCode !== undefined) return responseCode === NOT_AVAILABLE && !isAboutTheMail(failure);
  // ETLS is nodemailer's code for a server that ends at STARTTLS.
  return errorCode !== 'ETLS' && CONNECTION_FAILURES.some((failed) => failed === cause);
}
