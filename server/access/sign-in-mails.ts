import type { Operator, OperatorRole } from '../../contract/operator/access.ts';
import { signInPath } from '../../contract/operator/paths.ts';
import { logFailure } from '../http/request-log.ts';
import type { OperatorMailer } from '../mail/delivery/direct-mail.ts';
import type { EmailAddress } from '../mail/email-rules.ts';
import type { Platform } from '../module.ts';
import { createLinkForMail } from './sign-in.ts';

const MAY_NOW: Readonly<Record<OperatorRole, string>> = {
  owner: 'are now an owner of the waitlist',
  viewer: 'may now look at the waitlist',
  door: 'may now scan passes at the door',
};

export type SignInMails = ReturnType<typeof openSignInMails>;

export function openSignInMails({ database, config, brand, log }: Platform, mail: OperatorMailer) {
  const { publicUrl } = config;
  const underWay = new Set<Promise<void>>();

  function begin(work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => logFailure(log, 'warn', error, 'a mail to an operator failed'))
      .finally(() => underWay.delete(done));
    underWay.add(done);
  }

  return {
    /** Mails a link to an operator. Returns at once, so that time does not reveal who is one. */
    sendLink: (address: EmailAddress) =>
      begin(async () => {
        const link = await createLinkForMail(database, address);
        if (link === null) return;
        await mail.sendToOperator({
          email: link.email,
          subject: `Sign in to ${brand.name}`,
          before: `This opens the console of ${brand.name}:`,
          link: publicUrl + signInPath(link.secret),
          after:
            'It works once, within 15 minutes. If you did not ask for it, ignore this mail: ' +
            'nobody gets in without it.',
        });
      }),
    sendInvitation: ({ email, role }: Operator) =>
      begin(() =>
        mail.sendToOperator({
          email,
          subject: `You can now open the console of ${brand.name}`,
          before: `You ${MAY_NOW[role]} of ${brand.name}. Sign in here:`,
          link: publicUrl + signInPath(),
          after: 'Enter this address there, and a link that signs you in is mailed to you.',
        }),
      ),
    close: async () => void (await Promise.all(underWay)),
  };
}
