import type { MailKindOf, MailRequest } from '../../line/mails/mail-kinds.ts';
import {
  isSending,
  queueCampaignMails,
  readCampaignTexts,
  settleCampaignMails,
} from './campaign-store.ts';
import { fillCampaign, type ParsedText } from './campaign-text.ts';

type CampaignMail = MailRequest<'campaign'> & { readonly campaign: number };

/** The text is null when the member should not get the mail, or no longer. */
export const campaignMail: MailKindOf<CampaignMail, ParsedText | null> = {
  slot: 'campaign',
  // An operator's mail about a freeze or a draw has its hash.
  isAboutDrop: true,
  load: readCampaignTexts,
  compose: ({ loaded: text, recipient, links }) =>
    text &&
    fillCampaign(text, {
      position: recipient.position,
      referral_count: recipient.referralCount,
      referral_code: recipient.referralCode,
      invite_link: links.invite,
      status_link: links.status,
    }),
  queueWaiting: queueCampaignMails,
  /** False for the rest of a campaign that is being cancelled. */
  mayBegin: (database, { campaign }) => isSending(database, campaign),
  settle: (database, mails, { outcome }) =>
    settleCampaignMails(
      database,
      mails.map(({ request }) => request),
      outcome,
    ),
};
