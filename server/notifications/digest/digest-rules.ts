/** The text of the digest. It names no member: mail is read on many screens. */
import { countOf } from '../../changes/count-words.ts';

export type Waiting = {
  readonly credits: number;
  readonly codes: number;
  readonly since: Date | null;
  readonly secondLooks: number;
};

const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export function describeWaiting({ credits, codes, since, secondLooks }: Waiting): {
  subject: string;
  text: string;
} | null {
  if (credits === 0) return null;
  const subject = `${countOf(credits, 'friend waits', 'friends wait')} to be checked`;
  const first = since === null ? '' : `, the first since ${DATE.format(since)} (UTC)`;
  const sentences = [`${subject}, from ${countOf(codes, 'code')}${first}.`];
  if (secondLooks > 0)
    sentences.push(`${countOf(secondLooks, 'member asks', 'members ask')} for a second look.`);
  return { subject, text: sentences.join(' ') };
}
