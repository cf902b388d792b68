import type { Database } from '../db/database.ts';
import { deliverableAddress, readEmail } from '../mail/email-rules.ts';
import { readRecipients } from './store.ts';

export type Recipient = {
  readonly id: string;
  /** Address in the form that mail servers accept. */
  readonly address: string;
  readonly identity: string;
  readonly referralCode: string;
  readonly referralCount: number;
  readonly heldReferrals: number;
  readonly position: number;
  readonly isConfirmed: boolean;
  /** Null for the address that they joined with; random once it was corrected. */
  readonly mailbox: string | null;
};

/** Members by id, all of one moment. Members who have left are missing. */
export async function getRecipients(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, Recipient>> {
  const rows = await readRecipients(database, ids);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        address: deliverableAddress(row.email),
        identity: readEmail(row.email)?.identity ?? row.email,
        referralCode: row.referral_code,
        referralCount: row.referral_count,
        heldReferrals: row.held_referrals,
        position: row.position,
        isConfirmed: row.is_confirmed,
        mailbox: row.mailbox,
      },
    ]),
  );
}
