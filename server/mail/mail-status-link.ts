import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { deliverableAddress } from '../waitlist/email-rules.ts';
import { findMembers } from '../waitlist/find-members.ts';
import { statusLinkLetter } from './status-link-letter.ts';
import { claimStatusMail } from './store.ts';
import type { MailTransport } from './transport.ts';

const PAUSE_MINUTES = 10;

type MailOptions = {
  readonly database: Database;
  readonly brand: Brand;
  readonly publicUrl: string;
  readonly transport: MailTransport;
};

/**
 * Mails the member behind `email` their status link, to the address they joined with, at most once in 10 minutes.
 * Does nothing for an address that is not in line.
 */
export async function mailStatusLink(
  { database, brand, publicUrl, transport }: MailOptions,
  { email }: { email: string },
): Promise<void> {
  const [member] = await findMembers(database, brand, { text: email });
  if (member === undefined) return;
  const memberId = member.id;
  if (!(await claimStatusMail(database, { memberId, pauseMinutes: PAUSE_MINUTES }))) return;
  await transport.send(statusLinkLetter(brand, { publicUrl, memberId, email: deliverableAddress(member.email) }));
}
