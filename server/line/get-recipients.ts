import type { Database } from '../db/database.ts';
import { deliverableAddress, readEmail } from '../mail/email-rules.ts';
import { readRecipients } from './store.ts';

/** A member as mail needs one. */
export type Recipient = {
  readonly id: string;
  /** As a mail server takes it. */
  readonly address: string;
  /** Equal for all spellings of the address. */
  readonly identity: string;
  readonly referralCode: string;
  readonly referralCount: number;
  /** Friends whose credit is being checked. */
  readonly heldReferrals: number;
  readonly position: number;
  readonly isConfirmed: boolean;
  /** Null for the one that they joined with; otherwise drawn when it was corrected. */
  readonly mailbox: string | null;
};

/** The members by id, all of one moment. Members who have left are missing. */
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
