import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext, getCACertificates } from 'node:tls';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { RenderedMail } from '../../../contract/mails.ts';
import type { Config } from '../../config.ts';
import { isLoopbackHost } from '../../http/admission/client-address.ts';

export type OutgoingMail = RenderedMail & {
  readonly to: string;
  readonly memberId: string;
  /** The same in every attempt; determines the Message-ID. */
  readonly jobId: string;
  /** For one-click unsubscription (RFC 8058); null in a test mail, which no member gets. */
  readonly unsubscribeLink: string | null;
};

type Receipt = { readonly answer: string } | { readonly file: string };

export type MailTransport = {
  /** Without a mail server, which stores mails as files: nobody gets them. */
  readonly isKeeping: boolean;
  send(mail: OutgoingMail): Promise<void>;
  /** By a new connection: those of queued mail may all be busy. Throws nodemailer's error. */
  sendAlone(mail: OutgoingMail, fileName?: string): Promise<Receipt>;
  probe(): Promise<void>;
  close(): void;
};

export type TransportOptions = Pick<
  Config,
  'smtpUrl' | 'smtpCa' | 'mailFrom' | 'dkim' | 'dataDir'
> & { readonly senderName: string };

export const CONNECTIONS = 5;

const CONNECTION_TIMEOUT_MS = 10_000;
/** RFC 5321 allows the server longer, but a retry has the same Message-ID. */
const SOCKET_TIMEOUT_MS = 30_000;

/** nodemailer's defaults, and the headers that RFC 8058 wants signed. */
const SIGNED_HEADERS = [
  ...['From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
];

export function openMailTransport(options: TransportOptions): MailTransport {
  return options.smtpUrl === null ? openFolder(options) : openSmtp(options.smtpUrl, options);
}

function openSmtp(smtpUrl: string, options: TransportOptions): MailTransport {
  const settings = {
    ...tlsOf(smtpUrl, options),
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    ...dkimOf(options),
  };
  const smtp = createTransport({
    ...settings,
    pool: true,
    maxConnections: CONNECTIONS,
    // Retries are for the queue to decide: nodemailer would resend what was not acknowledged.
    maxRequeues: 0,
  });
  return {
    isKeeping: false,
    send: async (mail) => void (await smtp.sendMail(messageOf(mail, options))),
    async sendAlone(mail) {
      const { response } = await createTransport(settings).sendMail(messageOf(mail, options));
      return { answer: response };
    },
    probe: async () => void (await smtp.verify()),
    close: () => smtp.close(),
  };
}

/** TLS of a verified server; plain text will do on this machine, and with `?tls=off`. */
function tlsOf(smtpUrl: string, { smtpCa }: Pick<TransportOptions, 'smtpCa'>) {
  const url = new URL(smtpUrl);
  const isOff = url.searchParams.get('tls') === 'off';
  url.searchParams.delete('tls');
  const isOptional = smtpCa === null && isLoopbackHost(url.hostname);
  return {
    url: url.href,
    ignoreTLS: isOff,
    opportunisticTLS: isOptional,
    requireTLS: !isOff && !isOptional,
    // A context of its own for every connection would parse all certificates again.
    tls: isOptional
      ? { rejectUnauthorized: false }
      : { secureContext: createSecureContext({ ca: smtpCa ?? listUsualAuthorities() }) },
  };
}

/** The authorities that Node has, and those of the machine's certificate store. */
function listUsualAuthorities(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
}

function openFolder(options: TransportOptions): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, ...dkimOf(options) });

  async function keep(mail: OutgoingMail, name = mail.jobId): Promise<{ file: string }> {
    const { message } = await composer.sendMail(messageOf(mail, options));
    const folder = keptMailFolder(options.dataDir, mail.memberId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const draft = join(folder, `.${randomUUID()}`);
    await writeFile(draft, message as Buffer, { mode: 0o600, flag: 'wx' });
    const file = join(folder, `${name}.eml`);
    await rename(draft, file);
    return { file };
  }

  return {
    isKeeping: true,
    send: async (mail) => void (await keep(mail)),
    sendAlone: keep,
    probe: async () => {},
    close: () => composer.close(),
  };
}

/** In place of a member's folder. The hourly sweep empties them: no member will ever leave. */
export const TEST_FOLDER = 'test';
export const OPERATOR_FOLDER = 'operator';

export function keptMailFolder(dataDir: string, memberId = ''): string {
  return join(dataDir, 'mail', memberId);
}

function dkimOf({ dkim }: TransportOptions) {
  if (dkim === null) return {};
  const { domain, selector, privateKey } = dkim;
  return {
    dkim: {
      domainName: domain,
      keySelector: selector,
      privateKey,
      headerFieldNames: SIGNED_HEADERS.join(':'),
    },
  };
}

/** The recipient is an object: nodemailer would read several addresses out of a plain string. */
function messageOf(
  mail: OutgoingMail,
  { mailFrom, senderName }: TransportOptions,
): SendMailOptions {
  const { to, subject, html, text, jobId, unsubscribeLink } = mail;
  if (/[\s,;<>"\p{C}]/u.test(to) || to.split('@').length !== 2)
    throw new Error('A mail needs exactly one recipient.');
  if (/\p{Cc}/u.test(subject)) throw new Error('A subject must be one line.');
  return {
    from: { name: senderName, address: mailFrom },
    to: { name: '', address: to },
    envelope: { from: mailFrom, to: [to] },
    messageId: `<${jobId}@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}>`,
    subject,
    html,
    text,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeLink !== null && {
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    ...(unsubscribeLink !== null && { list: { unsubscribe: unsubscribeLink } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
