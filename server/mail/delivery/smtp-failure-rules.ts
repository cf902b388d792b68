/** What a failed conversation with a mail server means, without its words: they quote addresses. */
import {
  CONNECTION_FAILURES,
  type ConnectionFailure,
  connectionFailureOf,
} from '../../connection-failure-rules.ts';

/** `obsolete`: the member has left, or the content is no longer true. */
export type MailOutcome =
  | 'sent'
  | 'kept'
  | 'refused'
  | 'given_up'
  | 'later'
  | 'suppressed'
  | 'obsolete';

export type MailCause =
  | ConnectionFailure
  | 'TLS not offered'
  | 'login refused'
  | 'service not available'
  | 'sender refused'
  | 'refused by the provider'
  | 'greylisted or put off'
  | 'recipient refused'
  | 'content refused'
  | 'not composed'
  | 'unknown';

export type SmtpFailure = {
  readonly cause: MailCause;
  readonly errorCode?: string;
  readonly responseCode?: number;
  /** An enhanced status code (RFC 3463), such as "5.4.5". */
  readonly status?: string;
  readonly command?: string;
};

export function readFailure(error: unknown): SmtpFailure {
  if (!(error instanceof Error)) return { cause: 'unknown' };
  const { code, originalCode, responseCode, response, command } = error as Error &
    Record<string, unknown>;
  const [, status] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(String(response)) ?? [];
  const errorCode = typeof originalCode === 'string' ? originalCode : code;
  const hints = {
    ...(typeof errorCode === 'string' && { errorCode }),
    ...(typeof responseCode === 'number' && { responseCode }),
    ...(status !== undefined && { status }),
    ...(typeof command === 'string' && { command: command.slice(0, 40) }),
  };
  return { cause: causeOf(typeof code === 'string' ? code : '', hints), ...hints };
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
  { errorCode = '', responseCode = 0, status = '', command = '' }: Omit<SmtpFailure, 'cause'>,
): MailCause {
  const connectionFailure = connectionFailureOf(errorCode);
  if (connectionFailure !== null) return connectionFailure;
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login refused';
  if (code === 'ETLS') return responseCode > 0 ? 'TLS not offered' : 'TLS failed';
  if (responseCode === NOT_AVAILABLE)
    return OF_SENDER.test(status) ? 'refused by the provider' : 'service not available';
  if (responseCode > 0 && /^(?:MAIL FROM|RCPT TO|DATA)/.test(command)) {
    if (command.startsWith('MAIL') && responseCode >= 500) return 'sender refused';
    if (responseCode === THROTTLED || OF_SENDER.test(status)) return 'refused by the provider';
    if (responseCode < 500) return 'greylisted or put off';
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
  'refused by the provider':
    'Ask your mail provider: a quota is used up, or the account may not send. See MAIL_DAILY.',
  'sender refused': 'Set MAIL_FROM to an address that the mail server accepts.',
};

export function adviceFor(cause: MailCause): string | null {
  return ADVICE[cause] ?? null;
}

export function isAboutTheMail({ responseCode = 0, command = '' }: SmtpFailure): boolean {
  return responseCode > 0 && /^(RCPT TO|DATA)/.test(command);
}

export type RefusalScope = 'mail' | 'quota' | 'policy' | 'unclear';

/**
 * What a refusal is about; null for a failure that is none. `quota` is never about the mail,
 * `policy` usually is not, and `unclear` is what a provider without status codes answers to both.
 */
export function refusalScope(failure: SmtpFailure): RefusalScope | null {
  const { responseCode = 0, status = '', command = '', cause } = failure;
  if (mayMeanServerDown(failure)) return null;
  if (cause === 'login refused' || cause === 'sender refused') return 'quota';
  if (!isAboutTheMail(failure)) {
    const isPutOff = responseCode > 0 && command.startsWith('MAIL');
    return isPutOff || responseCode === NOT_AVAILABLE ? 'quota' : null;
  }
  if (responseCode === THROTTLED || QUOTA.test(status)) return 'quota';
  if (OF_SENDER.test(status)) return 'policy';
  return OF_MAIL.test(status) ? 'mail' : 'unclear';
}

/** Gmail's "Daily user sending limit exceeded"; RFC 3463: "Mail system congestion". */
const QUOTA = /^[45]\.4\.5$/;
/** Statuses of security and policy, too: an account that is not activated, a sender's address. */
const OF_SENDER = /^[45]\.(?:4\.5|7\.\d+|1\.[78])$/;
/** The address or mailbox of one recipient, the size of the mail, or its content. */
const OF_MAIL = /^5\.(?:1\.(?:[1236]|10)|2\.[123]|3\.4|6\.\d+)$/;
/** Amazon SES: "Throttling failure", without a status code. */
const THROTTLED = 454;

/** RFC 5321: "Service not available, closing transmission channel". */
const NOT_AVAILABLE = 421;

/** False for a refused login: providers lock accounts that try again every few seconds. */
export function mayMeanServerDown(failure: SmtpFailure): boolean {
  const { cause, errorCode, responseCode, status = '' } = failure;
  // With "421 4.7.0" a provider refuses whoever sends.
  if (responseCode !== undefined)
    return responseCode === NOT_AVAILABLE && !isAboutTheMail(failure) && !OF_SENDER.test(status);
  // ETLS is nodemailer's code for a server that ends at STARTTLS.
  return errorCode !== 'ETLS' && CONNECTION_FAILURES.some((failed) => failed === cause);
}
