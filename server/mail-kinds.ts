import { dropMails } from './drop/views/drop-mails.ts';
import type { MailKinds } from './line/mails/mail-kinds.ts';
import { campaignMail } from './notifications/campaigns/campaign-mail.ts';
import { newsMails } from './notifications/news-mails.ts';
import { rewardMails } from './rewards/reward-mails.ts';

/** The registry of mails to members. The compiler finds a kind that no feature composes. */
export const mailKinds: MailKinds = {
  ...newsMails,
  ...dropMails,
  ...rewardMails,
  campaign: campaignMail,
};
