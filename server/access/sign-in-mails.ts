import type { FastifyBaseLogger } from 'fastify';
import type { Operator } from '../../contract/operator/access.ts';
import { signInPath } from '../../contract/operator/paths.ts';
import type { Database } from '../db/database.ts';
import { logFailure } from '../http/request-log.ts';
import type { OperatorMailer } from '../mail/delivery/direct-mail.ts';
import type { EmailAddress } from '../mail/email-rules.ts';
import { createLinkForMail } from './sign-in.ts';

export type SignInMails = ReturnType<typeof openSignInMails>;

type SignInMailOptions = {
  readonly database: Database;
  readonly publicUrl: string;
  readonly brandName: string;
  readonly mail: OperatorMailer;
  readonly log: FastifyBaseLogger;
};

export function openSignInMails({ database, publicUrl, brandName, mail, log }: SignInMailOptions) {
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
          subject: `Sign in to ${brandName}`,
          before: `This opens the console of ${brandName}:`,
          link: publicUrl + signInPath(link.secret),
          after:
            'It works once, within 15 minutes. If you did not ask for it, ignore this mail: ' +
            'nobody gets in without it.',
        });
      }),
    /** The mail has no secret, so it does not expire. */
    sendInvitation: ({ email, role }: Operator) =>
      begin(() =>
        mail.sendToOperator({
          email,
          subject: `You can now open the console of ${brandName}`,
          before:
            role === 'owner'
              ? `You are now an owner of the waitlist of ${brandName}. Sign in here:`
              : `You may now look at the waitlist of ${brandName}. Sign in here:`,
          link: publicUrl + signInPath(),
          after: 'Enter this address there, and a link that signs you in is mailed to you.',
        }),
      ),
    close: async () => void (await Promise.all(underWay)),
  };
}
