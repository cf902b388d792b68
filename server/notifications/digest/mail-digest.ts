import { consolePaths } from '../../../contract/operator/paths.ts';
import { mailOwners, type OwnerMailOptions } from '../../access/mail-owners.ts';
import { readMailStop } from '../../mail/delivery/mail-stop-store.ts';
import { describeDigest } from './digest-rules.ts';
import { readWaiting, returnDigestSlot, takeDigestSlot } from './digest-store.ts';

const EVERY_HOURS = 24;

/** A server killed in between may leave a day without a digest, but never two in one. */
export async function mailDigest(options: OwnerMailOptions): Promise<void> {
  const { database } = options;
  const waiting = await readWaiting(database);
  const digest = describeDigest(waiting, await readMailStop(database));
  const slot = digest && (await takeDigestSlot(database, EVERY_HOURS));
  if (digest === null || slot === null) return;
  const sent = await mailOwners(options, {
    subject: digest.subject,
    before: digest.text,
    page: waiting.credits > 0 ? consolePaths.credits : consolePaths.home,
    after: 'This comes once a day while something waits. DIGEST=off switches it off.',
    failure: 'a digest was not sent',
  });
  if (sent === 0) await returnDigestSlot(database, slot);
}
