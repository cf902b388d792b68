/** A mail server that accepts everything, and records recipient and Message-ID of each mail. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { headerOf } from '../support/smtp-mailbox.ts';

export type ArrivedMail = { readonly to: string; readonly messageId: string };

export type MailSink = {
  readonly url: string;
  readonly mails: readonly ArrivedMail[];
  close(): Promise<void>;
};

export async function startMailSink(): Promise<MailSink> {
  const mails: ArrivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onData(stream, { envelope }, done) {
      void text(stream).then((raw) => {
        mails.push({
          to: envelope.rcptTo[0]?.address ?? '',
          messageId: headerOf({ raw }, 'Message-ID'),
        });
        done();
      }, done);
    },
  });
  server.on('error', () => {}); // A node was killed mid-conversation.
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
