/** How mail leaves: by SMTP, or into a folder while no SMTP server is set. */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { RenderedMail } from '../../../contract/mails.ts';
import type { Config } from '../../config.ts';

export type Letter = RenderedMail & {
  readonly to: string;
  readonly memberId: string;
  /** The same in every attempt; the Message-ID is made of it. */
  readonly jobId: string;
  /** Where mail programs unsubscribe with one click (RFC 8058). */
  readonly unsubscribeLink: string;
};

export type MailTransport = {
  /** Resolves when the server has taken the mail over; throws nodemailer's error. */
  send(letter: Letter): Promise<void>;
  /** Resolves when the server lets us in, without sending anything; rejects when it is away. */
  probe(): Promise<void>;
  close(): void;
};

export type TransportOptions = Pick<Config, 'smtpUrl' | 'mailFrom' | 'dkim' | 'dataDir'> & {
  readonly senderName: string;
};

/** Letters that may be on their way at once. */
export const CONNECTIONS = 5;

const CONNECTION_TIMEOUT_MS = 10_000;
/** RFC 5321 asks for more patience after the content, but a mail that is tried again has the same Message-ID. */
const SOCKET_TIMEOUT_MS = 30_000;

/** nodemailer's own list, and the header of RFC 8058, which must be signed. */
const SIGNED_HEADERS = [
  ...['From', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'MIME-Version', 'Content-Type'],
  ...['Content-Transfer-Encoding', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
];

export function openMailTransport(options: TransportOptions): MailTransport {
  return options.smtpUrl === null ? openFolder(options) : openSmtp(options.smtpUrl, options);
}

/** `?tls=off` in the URL allows a server on another machine to be spoken to in the clear. */
function openSmtp(smtpUrl: string, options: TransportOptions): MailTransport {
  const url = new URL(smtpUrl);
  const isClearAllowed = url.searchParams.get('tls') === 'off' || /^(localhost|127\..*|\[::1\])$/.test(url.hostname);
  url.searchParams.delete('tls');
  const smtp = createTransport({
    url: url.href,
    pool: true,
    maxConnections: CONNECTIONS,
    // nodemailer would send again by itself what a server took and did not acknowledge: that is for the queue to decide.
    maxRequeues: 0,
    requireTLS: !isClearAllowed,
    opportunisticTLS: isClearAllowed,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    ...dkimOf(options),
  });
  return {
    send: async (letter) => void (await smtp.sendMail(messageOf(letter, options))),
    probe: async () => void (await smtp.verify()),
    close: () => smtp.close(),
  };
}

/** One .eml file a mail in `mail/{member}` of the data folder, readable by the owner alone; a repeated mail replaces itself. */
function openFolder(options: TransportOptions): MailTransport {
  const composer = createTransport({ streamTransport: true, buffer: true, ...dkimOf(options) });
  return {
    async send(letter) {
      const { message } = await composer.sendMail(messageOf(letter, options));
      const folder = keptMailFolder(options.dataDir, letter.memberId);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = join(folder, `.${randomUUID()}`);
      await writeFile(draft, message as Buffer, { mode: 0o600, flag: 'wx' });
      await rename(draft, join(folder, `${letter.jobId}.eml`));
    },
    probe: async () => {},
    close: () => composer.close(),
  };
}

/** Where the mails of a member are kept; without one, of all. */
export function keptMailFolder(dataDir: string, memberId = ''): string {
  return join(dataDir, 'mail', memberId);
}

function dkimOf({ dkim }: TransportOptions) {
  if (dkim === null) return {};
  const { domain, selector, privateKey } = dkim;
  return {
    dkim: { domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED_HEADERS.join(':') },
  };
}

/** The recipient as an object and in the envelope: as a plain string, nodemailer would read several addresses out of it. */
function messageOf(letter: Letter, { mailFrom, senderName }: TransportOptions): SendMailOptions {
  const { to, subject, html, text, jobId, unsubscribeLink } = letter;
  if (/[\s,;<>"\p{C}]/u.test(to) || to.split('@').length !== 2)
    throw new Error('A letter needs exactly one recipient.');
  if (/\p{Cc}/u.test(subject)) throw new Error('A subject is one line.');
  return {
    from: { name: senderName, address: mailFrom },
    to: { name: '', address: to },
    envelope: { from: mailFrom, to: [to] },
    messageId: `<${jobId}@${mailFrom.slice(mailFrom.lastIndexOf('@') + 1)}>`,
    subject,
    html,
    text,
    headers: { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    list: { unsubscribe: unsubscribeLink },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
