/** Mails that are sent at once, past the queue, the rate and suppressions. */
import { randomUUID } from 'node:crypto';
import type { RenderedMail } from '../../../contract/mails.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import { deliverableAddress } from '../email-rules.ts';
import { adviceFor, type MailCause, readFailure } from './smtp-failure-rules.ts';
import { type MailTransport, OPERATOR_FOLDER, TEST_FOLDER } from './transport.ts';

/** `answer`: the mail server's own words, for the operator alone; null when it said nothing. */
export type TestMailResult =
  | { readonly outcome: 'sent'; readonly answer: string }
  | { readonly outcome: 'kept'; readonly file: string }
  | {
      readonly outcome: 'failed';
      readonly cause: MailCause;
      /** Code of Node or nodemailer, such as ECONNREFUSED. */
      readonly errorCode: string | null;
      readonly answer: string | null;
      readonly advice: string | null;
    };

/**
 * Sends a mail at once, as any other but past the queue, the rate and suppressions. `email` is an
 * accepted address.
 */
export async function sendTestMail(
  transport: MailTransport,
  { email, mail }: { email: string; mail: RenderedMail },
): Promise<TestMailResult> {
  try {
    const receipt = await transport.sendTest({
      to: deliverableAddress(email),
      memberId: TEST_FOLDER,
      jobId: randomUUID(),
      ...mail,
      unsubscribeLink: null,
    });
    return 'file' in receipt
      ? { outcome: 'kept', file: receipt.file }
      : { outcome: 'sent', answer: receipt.answer };
  } catch (error) {
    const { cause, errorCode = null } = readFailure(error);
    const answer = error instanceof Error && 'response' in error ? String(error.response) : null;
    return { outcome: 'failed', cause, errorCode, answer, advice: adviceFor(cause) };
  }
}

/** A mail that only tries the mail server. */
export function plainTestMail(brandName: string, publicUrl: string): RenderedMail {
  const text =
    `The waitlist at ${publicUrl} sent this to try its mail server. ` +
    'If you can read it, mail leaves.';
  return { subject: `Test mail of ${brandName}`, text, html: `<p>${escapeHtml(text)}</p>` };
}

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
