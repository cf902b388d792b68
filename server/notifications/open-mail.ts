import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RenderedMail, RenderMail } from '../../contract/mails.ts';
import { fillPath, imagePaths } from '../../contract/paths.ts';
import { getFrameFacts } from '../drop/views/get-offers.ts';
import { logFailure } from '../http/request-log.ts';
import type { Counters } from '../line/funnel/counters.ts';
import type { MailKinds } from '../line/mails/mail-kinds.ts';
import {
  type OperatorMail,
  plainTestMail,
  sendOperatorMail,
  sendTestMail,
} from '../mail/delivery/direct-mail.ts';
import { readFailure } from '../mail/delivery/smtp-failure-rules.ts';
import { openMailTransport } from '../mail/delivery/transport.ts';
import type { Platform } from '../module.ts';
import { StartupError } from '../startup-error.ts';
import { fillCampaign, type ParsedText } from './campaigns/campaign-text.ts';
import { linkDraw } from './compose-mail.ts';
import { openMailMetrics } from './delivery/mail-metrics.ts';
import { startMailSender } from './delivery/mail-sender.ts';
import { openMailQueue } from './delivery/queue.ts';
import { SAMPLE_CODE, sampleFrame } from './dev/sample-mails.ts';

type MailOptions = Omit<Platform, 'limits'> & {
  readonly kinds: MailKinds;
  readonly artVersion: string;
  readonly renderMail: RenderMail;
  readonly counters: Pick<Counters, 'countEvent'>;
};

export type Mail = Awaited<ReturnType<typeof openMail>>;

export async function openMail(options: MailOptions) {
  const { config, brand, database, secretKey, kinds, artVersion, renderMail, log } = options;
  const { publicUrl, referralCredit, mailRate, mailHourly, mailDaily, smtpUrl, isTrial } = config;
  const reachesMembers = smtpUrl !== null || isTrial;
  const onError = (error: unknown) =>
    logFailure(log, 'error', error, 'a query of the mail queue failed');
  const queue = await openMailQueue(database, {
    kinds,
    mailsPerSecond: mailRate,
    limits: { hourly: mailHourly, daily: mailDaily },
    reachesMembers,
    onError,
  });
  const transport = openMailTransport({ ...config, senderName: brand.name });
  const reports = openMailMetrics(options.metrics.registry, {
    log,
    readBacklog: queue.readBacklog,
  });
  const composing = { kinds, brand, publicUrl, secretKey, referralCredit, artVersion, renderMail };
  const sender = startMailSender({
    database,
    queue,
    transport,
    mailsPerSecond: mailRate,
    composing,
    onOutcome(outcome, ...report) {
      reports.onOutcome(outcome, ...report);
      if (outcome !== 'suppressed' && outcome !== 'obsolete')
        options.counters.countEvent(`mail_${outcome}`);
    },
    onRefusal: reports.onRefusal,
    onError,
  });
  let isStopping = false;
  void transport.probe().catch((error) => {
    if (!isStopping) reports.onFailedCheck(readFailure(error));
  });
  return {
    wake: sender.wake,
    readBacklog: queue.readBacklog,
    reachesMembers,
    sendTest: (email: string, mail: RenderedMail = plainTestMail(brand.name, publicUrl)) =>
      sendTestMail(transport, { email, mail }),
    async previewCampaign(text: ParsedText): Promise<RenderedMail> {
      const { draw } = await getFrameFacts(database);
      const sample = sampleFrame(publicUrl);
      const content = fillCampaign(text, {
        position: 128,
        referral_count: 3,
        referral_code: SAMPLE_CODE,
        invite_link: sample.inviteLink,
        status_link: sample.statusLink,
      });
      // The sample code belongs to no member, so it draws no member's ghost.
      const image = publicUrl + fillPath(imagePaths.ghost, SAMPLE_CODE, artVersion);
      return renderMail(content, { ...sample, image, draw: linkDraw(publicUrl, draw) });
    },
    sendToOperator: (mail: OperatorMail) => sendOperatorMail(transport, mail),
    async stop() {
      isStopping = true;
      await sender.stop();
      transport.close();
      await queue.close();
    },
  };
}

export async function loadMailRenderer(siteDir: string): Promise<RenderMail> {
  const path = join(siteDir, 'mails', 'render-mail.js');
  if (!existsSync(path))
    throw new StartupError(`The mails are not built: ${path} is missing. Run npm run build.`);
  const { renderMail }: { renderMail: RenderMail } = await import(pathToFileURL(path).href);
  return renderMail;
}
