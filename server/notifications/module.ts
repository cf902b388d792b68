import type { RenderMail } from '../../contract/mails.ts';
import type { ScheduledWork } from '../db/scheduled-work.ts';
import { MINUTE_MS } from '../durations.ts';
import type { HttpServer } from '../http/http-server.ts';
import { addSuppressionRoutes } from '../mail/suppression/routes.ts';
import type { Members } from '../members/module.ts';
import type { Module, Platform } from '../module.ts';
import type { ShareImages } from '../site/share/share-images.ts';
import { findRecipients } from './campaigns/find-recipients.ts';
import { addCampaignRoutes } from './campaigns/routes.ts';
import { openCancelCampaign, openSendCampaign } from './campaigns/send-campaign.ts';
import type { DevMailAccess } from './dev/access.ts';
import { addDevMailRoutes } from './dev/routes.ts';
import { mailDigest } from './digest/mail-digest.ts';
import { openRetryMails } from './lists/retry-mails.ts';
import { addMailRoutes } from './lists/routes.ts';
import type { Mail } from './open-mail.ts';
import { queueDueNotifications } from './queue-due-notifications.ts';
import { queueReminders } from './reminders/queue-reminders.ts';

type NotificationOptions = {
  readonly mail: Mail;
  readonly members: Members;
  readonly images: ShareImages;
  readonly brandDir: string;
  readonly renderMail: RenderMail;
  readonly devAccess: DevMailAccess | null;
};

export function openNotifications(platform: Platform, options: NotificationOptions): Module {
  const { config, brand, database, log } = platform;
  const { publicUrl, isMailingDigest } = config;
  const { mail, members } = options;
  const digest: ScheduledWork = {
    name: 'mailing the digest',
    everyMs: 10 * MINUTE_MS,
    acts: true,
    run: () => mailDigest({ database, mail, log, publicUrl, brandName: brand.name }),
  };
  return {
    async addRoutes(server: HttpServer) {
      await addSuppressionRoutes(server, platform);
      addDevMailRoutes(server, platform, options);
    },
    addOperatorRoutes(operator) {
      addMailRoutes(operator, { ...platform, mail });
      addCampaignRoutes(operator, { ...platform, mail });
    },
    operations: {
      'send-campaign': openSendCampaign(database, members.countMembers),
      'cancel-campaign': openCancelCampaign(database),
      'retry-mails': openRetryMails(mail),
    },
    work: [
      {
        name: 'finding the recipients of a campaign',
        everyMs: 1_000,
        run: () => findRecipients(platform, mail.wake),
      },
      {
        name: 'queueing notifications',
        everyMs: MINUTE_MS,
        run: async () => void (await queueDueNotifications(database, { brand })),
      },
      {
        name: 'queueing reminders to confirm',
        everyMs: MINUTE_MS,
        run: async () => void (await queueReminders(database, { ...config, brand })),
      },
      ...(isMailingDigest ? [digest] : []),
    ],
    close: mail.stop,
  };
}
