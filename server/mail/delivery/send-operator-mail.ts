import { randomUUID } from 'node:crypto';
import { escapeHtml } from '../../http/escape-html.ts';
import { deliverableAddress } from '../email-rules.ts';
import { type MailTransport, OPERATOR_FOLDER } from './transport.ts';

/** Paragraphs with a link between them. `email` is an accepted address. */
export type OperatorMail = {
  readonly email: string;
  readonly subject: string;
  readonly before: string;
  readonly link: string;
  readonly after: string;
};

export type OperatorMailer = {
  /** Sends a mail to an operator at once. Throws nodemailer's error. */
  sendToOperator(mail: OperatorMail): Promise<void>;
};

/**
 * Sends a mail past the queue, the rate and suppressions: the queue stores no secret, and a link
 * that lasts for minutes cannot wait behind a hundred thousand mails.
 */
export async function sendOperatorMail(
  transport: Pick<MailTransport, 'sendAlone'>,
  { email, subject, before, link, after }: OperatorMail,
): Promise<void> {
  const url = escapeHtml(link);
  await transport.sendAlone({
    to: deliverableAddress(email),
    memberId: OPERATOR_FOLDER,
    jobId: randomUUID(),
    subject,
    text: `${before}\n\n${link}\n\n${after}\n`,
    html:
      `<p>${escapeHtml(before)}</p><p><a href="${url}">${url}</a></p>` +
      `<p>${escapeHtml(after)}</p>`,
    unsubscribeLink: null,
  });
}
