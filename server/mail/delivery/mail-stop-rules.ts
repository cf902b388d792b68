/** Why mail does not leave, in a sentence for whoever counts on it. */

/** A time in which mail stood still, because the provider refused the sender. */
export type MailStop = {
  readonly since: Date;
  /** Null while mail stands still. */
  readonly until: Date | null;
  /** Status codes, such as "550 5.4.5". */
  readonly refusedWith: string;
};

export const NO_MAIL_SERVER =
  'No mail server is set: mails are kept in files, nobody gets them, and offers do not start. ' +
  'Set SMTP_URL.';

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

export function describeStop({ since, until, refusedWith }: MailStop): string {
  const began = MOMENT.format(since);
  if (until !== null)
    return (
      `Mail stood still from ${began} to ${MOMENT.format(until)} (UTC): the provider refused ` +
      `this sender (${refusedWith}).`
    );
  return (
    `Mail stands still since ${began} (UTC): the provider refuses this sender (${refusedWith}). ` +
    'Ask whether a quota is used up. No offer begins, nothing is lost, and mail goes on by itself.'
  );
}
