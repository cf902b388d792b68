import type { ReferralVerification } from '../../contract/schemas.ts';
import type { Database } from '../db/database.ts';
import { maskEmail } from './mask-email-rules.ts';
import { readReferralCode } from './referral-code-rules.ts';
import { readEmailByCode } from './store.ts';

/** Nobody's, and above all of them. */
const NO_CODE = 'ZZZZZZZZZZZ';

/** SPEC 3: whether the code is a member's, and whose. `inviterEmail` says how much of the address is shown. */
export async function verifyReferral(
  database: Database,
  { code, inviterEmail }: { code: string; inviterEmail: 'full' | 'masked' },
): Promise<ReferralVerification> {
  // What cannot be a code is looked up like one, so that the time of an answer says nothing.
  const email = await readEmailByCode(database, readReferralCode(code) ?? NO_CODE);
  if (email === null) return { valid: false, referrer_email: null };
  return { valid: true, referrer_email: inviterEmail === 'masked' ? maskEmail(email) : email };
}
