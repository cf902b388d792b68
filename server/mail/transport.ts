/** How mail leaves: by SMTP, or into a folder while no SMTP server is set. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';

export type Letter = { readonly to: string; readonly subject: string; readonly text: string; readonly html: string };

export type MailTransport = {
  send(letter: Letter): Promise<void>;
  close(): void;
};

type TransportOptions = Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'> & { readonly senderName: string };

/** Kept mail stands in `mail` of the data folder, one .eml file each, readable by the owner alone. */
export function openMailTransport({ smtpUrl, mailFrom, dataDir, senderName }: TransportOptions): MailTransport {
  const from = { name: senderName, address: mailFrom };
  if (smtpUrl !== null) {
    const smtp = createTransport({ url: smtpUrl, pool: true });
    return {
      send: async (letter) => void (await smtp.sendMail(messageOf(letter, from))),
      close: () => smtp.close(),
    };
  }
  const composer = createTransport({ streamTransport: true, buffer: true });
  const folder = join(dataDir, 'mail');
  return {
    async send(letter) {
      const { message } = await composer.sendMail(messageOf(letter, from));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`;
      await writeFile(join(folder, name), message as Buffer, { mode: 0o600, flag: 'wx' });
    },
    close: () => composer.close(),
  };
}

/** The recipient as an object and in the envelope: as a plain string, nodemailer would read several addresses out of it. */
function messageOf({ to, ...content }: Letter, from: { name: string; address: string }) {
  if (/[\r\n,;<>]/.test(to) || to.split('@').length !== 2) throw new Error('A letter needs exactly one recipient.');
  return { ...content, from, to: { name: '', address: to }, envelope: { from: from.address, to: [to] } };
}
