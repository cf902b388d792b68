import { findReferralCode } from '../../../contract/referral-code-rules.ts';
import type { ReferralVerification } from '../../../contract/schemas.ts';
import { openLookUps } from '../../db/batcher.ts';
import type { Database } from '../../db/database.ts';
import { readEmailsByCode } from '../store.ts';
import { maskEmail } from './mask-email-rules.ts';

type ReferralVerifierOptions = {
  readonly database: Database;
  readonly inviterEmail: 'full' | 'masked';
};

const NO_CODE = 'ZZZZZZZZZZZ';

export function nameInviter(
  email: string,
  inviterEmail: ReferralVerifierOptions['inviterEmail'],
): string {
  return inviterEmail === 'masked' ? maskEmail(email) : email;
}

export function openReferralVerifier({ database, inviterEmail }: ReferralVerifierOptions) {
  const emails = openLookUps(database, (codes) => readEmailsByCode(database, codes));
  return {
    /** Text that is no code is looked up all the same, so that timing reveals nothing. */
    async verifyReferral(code: string): Promise<ReferralVerification> {
      const email = await emails.submit(findReferralCode(code) ?? NO_CODE);
      if (email === null) return { valid: false, referrer_email: null };
      return { valid: true, referrer_email: nameInviter(email, inviterEmail) };
    },
    close: () => emails.close(),
  };
}
