import { describeStop, type MailStop } from '../../mail/delivery/mail-stop-rules.ts';

/** Null when the mail before reported the same stop. It names no member: many read mail. */
export function describeDigest(
  stop: MailStop | null,
  lastAt: Date | null,
): { subject: string; text: string } | null {
  const isNew = stop !== null && (stop.until === null || lastAt === null || stop.until > lastAt);
  return isNew ? { subject: 'Mail stood still', text: describeStop(stop) } : null;
}
