/** The text of the digest. It names no member: mail is read on many screens. */
import { countOf } from '../../changes/count-words.ts';
import { describeStop, type MailStop } from '../../mail/delivery/mail-stop-rules.ts';

export type Waiting = {
  readonly credits: number;
  readonly codes: number;
  readonly since: Date | null;
  readonly secondLooks: number;
  /** When the digest before was sent. */
  readonly lastAt: Date | null;
};

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export function describeDigest(
  waiting: Waiting,
  stop: MailStop | null,
): { subject: string; text: string } | null {
  const { lastAt } = waiting;
  const isNew = stop !== null && (stop.until === null || lastAt === null || stop.until > lastAt);
  const mail = isNew ? { subject: 'Mail stood still', text: describeStop(stop) } : null;
  const credits = describeWaiting(waiting);
  if (mail === null || credits === null) return mail ?? credits;
  return { subject: mail.subject, text: `${mail.text} ${credits.text}` };
}

function describeWaiting({ credits, codes, since, secondLooks }: Waiting) {
  if (credits === 0) return null;
  const subject = `${countOf(credits, 'friend waits', 'friends wait')} to be checked`;
  const first = since === null ? '' : `, the first since ${DATE.format(since)} (UTC)`;
  const sentences = [`${subject}, from ${countOf(codes, 'code')}${first}.`];
  if (secondLooks > 0)
    sentences.push(`${countOf(secondLooks, 'member asks', 'members ask')} for a second look.`);
  return { subject, text: sentences.join(' ') };
}
