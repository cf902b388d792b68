import { randomUUID } from 'node:crypto';
import escapeHtml from 'escape-html';
import type { RenderedMail } from '../../../contract/mails.ts';
import type { TestMail } from '../../../contract/operator/mails.ts';
import { deliverableAddress } from '../email-rules.ts';
import { adviceFor, readFailure } from './smtp-failure-rules.ts';
import {
  type MailTransport,
  OPERATOR_FOLDER,
  type OutgoingMail,
  TEST_FOLDER,
} from './transport.ts';

/** `email` is an accepted address. The mail server's words are for the operator alone. */
export async function sendTestMail(
  transport: MailTransport,
  { email, mail }: { email: string; mail: RenderedMail },
): Promise<TestMail> {
  const none = { answer: null, file: null, cause: null, error_code: null, advice: null };
  try {
    const outgoing = directMail(email, { memberId: TEST_FOLDER, ...mail });
    const receipt = await transport.sendAlone(outgoing, 'test');
    return { ...none, outcome: 'file' in receipt ? 'kept' : 'sent', ...receipt };
  } catch (error) {
    const { cause, errorCode: error_code = null } = readFailure(error);
    const answer = error instanceof Error && 'response' in error ? String(error.response) : null;
    return { ...none, outcome: 'failed', cause, error_code, answer, advice: adviceFor(cause) };
  }
}

function directMail(
  email: string,
  mail: Pick<OutgoingMail, keyof RenderedMail | 'memberId'>,
): OutgoingMail {
  return { ...mail, to: deliverableAddress(email), jobId: randomUUID(), unsubscribeLink: null };
}

export function plainTestMail(brandName: string, publicUrl: string): RenderedMail {
  const text =
    `The waitlist at ${publicUrl} sent this to try its mail server. ` +
    'If you can read it, mail leaves.';
  return { subject: `Test mail of ${brandName}`, text, html: `<p>${escapeHtml(text)}</p>` };
}

export type OperatorMail = Readonly<
  Record<'email' | 'subject' | 'before' | 'link' | 'after', string>
>;

export type OperatorMailer = {
  sendToOperator(mail: OperatorMail): Promise<void>;
};

/** The queue stores no secret, and a link that lasts for minutes cannot wait in it. */
export async function sendOperatorMail(
  transport: Pick<MailTransport, 'sendAlone'>,
  { email, subject, before, link, after }: OperatorMail,
): Promise<void> {
  const url = escapeHtml(link);
  const text = `${before}\n\n${link}\n\n${after}\n`;
  const html =
    `<p>${escapeHtml(before)}</p><p><a href="${url}">${url}</a></p>` +
    `<p>${escapeHtml(after)}</p>`;
  await transport.sendAlone(directMail(email, { memberId: OPERATOR_FOLDER, subject, text, html }));
}
