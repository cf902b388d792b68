import { consolePaths } from '../../../contract/operator/paths.ts';
import { mailOwners, type OwnerMailOptions } from '../../access/mail-owners.ts';
import { describeStop, type MailStop } from '../../mail/delivery/mail-stop-rules.ts';
import { readMailStop } from '../../mail/delivery/mail-stop-store.ts';
import { readLastDigest, returnDigestSlot, takeDigestSlot } from './digest-store.ts';

const EVERY_HOURS = 24;

/** A server killed in between may leave a day without a digest, but never two in one. */
export async function mailDigest(options: OwnerMailOptions): Promise<void> {
  const { database } = options;
  const digest = describeDigest(await readMailStop(database), await readLastDigest(database));
  const slot = digest && (await takeDigestSlot(database, EVERY_HOURS));
  if (digest === null || slot === null) return;
  const sent = await mailOwners(options, {
    subject: digest.subject,
    before: digest.text,
    page: consolePaths.home,
    after: 'This comes once a day while mail stands still. DIGEST=off switches it off.',
    failure: 'a digest was not sent',
  });
  if (sent === 0) await returnDigestSlot(database, slot);
}

/** Null when the mail before reported the same stop. It names no member: many read mail. */
export function describeDigest(
  stop: MailStop | null,
  lastAt: Date | null,
): { subject: string; text: string } | null {
  const isNew = stop !== null && (stop.until === null || lastAt === null || stop.until > lastAt);
  return isNew ? { subject: 'Mail stood still', text: describeStop(stop) } : null;
}
