import { findReferralCode } from '../../../contract/referral-code-rules.ts';
import type { ReferralVerification } from '../../../contract/schemas.ts';
import { openBatcher } from '../../db/batcher.ts';
import type { Database } from '../../db/database.ts';
import { readBatches } from '../get-status.ts';
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
  const batcher = openBatcher<string, ReferralVerification>({
    ...readBatches(database),
    async runBatch(codes) {
      const emails = await readEmailsByCode(database, [...new Set(codes)]);
      return codes.map((code) => view(emails.get(code)));
    },
  });

  function view(email: string | undefined): ReferralVerification {
    if (email === undefined) return { valid: false, referrer_email: null };
    return { valid: true, referrer_email: nameInviter(email, inviterEmail) };
  }

  return {
    /** Text that is no code is looked up all the same, so that timing reveals nothing. */
    verifyReferral: (code: string) => batcher.submit(findReferralCode(code) ?? NO_CODE),
    close: () => batcher.close(),
  };
}
