import type { Brand } from '../../brand/brand-shape.ts';
import type { RenderMail } from '../../contract/mails.ts';
import { imagePaths, mailPagePaths, pagePaths } from '../../contract/paths.ts';
import type { Config } from '../config.ts';
import type { Recipient } from '../waitlist/get-recipients.ts';
import type { Letter } from './delivery/transport.ts';
import { signLinkToken } from './link-token.ts';
import { mailContent } from './mail-content-rules.ts';
import type { MailJob } from './queue.ts';

const DAY_MS = 86_400_000;
const CONFIRM_DAYS = 7;
/** A mail is often acted on long after it came; leaving should not fail for that. */
const PREFERENCES_DAYS = 400;

type Composition = {
  readonly brand: Brand;
  readonly publicUrl: string;
  readonly secretKey: string;
  readonly referralCredit: Config['referralCredit'];
  /** Says how ghosts look now. */
  readonly artVersion: string;
  readonly renderMail: RenderMail;
};

/** The letter of a job, the same to the byte in every attempt unless its member has moved; null when nothing is left to say. */
export function composeLetter(
  { brand, publicUrl, secretKey, referralCredit, artVersion, renderMail }: Composition,
  job: MailJob,
  recipient: Recipient,
): Letter | null {
  const token = (purpose: 'confirm' | 'preferences', days: number) =>
    signLinkToken(secretKey, {
      purpose,
      memberId: recipient.id,
      expiresAt: new Date(job.queuedAt.getTime() + days * DAY_MS),
    });
  const confirmLink = publicUrl + mailPagePaths.confirm(token('confirm', CONFIRM_DAYS));
  const content = mailContent(job.request, recipient, {
    tiers: brand.tiers,
    confirmLink,
    confirmDays: CONFIRM_DAYS,
    isCreditWaiting: referralCredit === 'confirm' && brand.mails.confirm.isOn,
  });
  if (content === null) return null;
  const ownToken = token('preferences', PREFERENCES_DAYS);
  const mail = renderMail(content, {
    publicUrl,
    statusLink: publicUrl + pagePaths.status(recipient.id),
    inviteLink: publicUrl + pagePaths.invite(recipient.referralCode),
    referralCode: recipient.referralCode,
    ghostImage: publicUrl + imagePaths.ghost(recipient.referralCode, artVersion),
    preferencesLink: publicUrl + mailPagePaths.preferences(ownToken),
  });
  return {
    ...mail,
    to: recipient.address,
    memberId: recipient.id,
    jobId: job.id,
    unsubscribeLink: publicUrl + mailPagePaths.unsubscribe(ownToken),
  };
}
