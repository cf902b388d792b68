import { readReferralCode } from '../../../contract/referral-code-rules.ts';
import type { ReferralVerification } from '../../../contract/schemas.ts';
import { openBatcher } from '../../db/batcher.ts';
import type { Database } from '../../db/database.ts';
import { readBatches } from '../get-status.ts';
import { readEmailsByCode } from '../store.ts';
import { maskEmail } from './mask-email-rules.ts';

export type ReferralVerifier = {
  /** Whether the code is a member's, and whose. Throws Problem too_busy or unavailable. */
  verifyReferral(code: string): Promise<ReferralVerification>;
  close(): Promise<void>;
};

type ReferralVerifierOptions = {
  readonly database: Database;
  /** How much of the address is shown. */
  readonly inviterEmail: 'full' | 'masked';
};

/** Sorts after every real code and belongs to nobody. */
const NO_CODE = 'ZZZZZZZZZZZ';

/** Codes that arrive together are looked up by one query. */
export function openReferralVerifier({
  database,
  inviterEmail,
}: ReferralVerifierOptions): ReferralVerifier {
  const batcher = openBatcher<string, ReferralVerification>({
    ...readBatches(database),
    async runBatch(codes) {
      const emails = await readEmailsByCode(database, codes);
      return codes.map((code) => view(emails.get(code)));
    },
  });

  function view(email: string | undefined): ReferralVerification {
    if (email === undefined) return { valid: false, referrer_email: null };
    return { valid: true, referrer_email: inviterEmail === 'masked' ? maskEmail(email) : email };
  }

  return {
    // What cannot be a code is looked up like one, so that the time of an answer says nothing.
    verifyReferral: (code) => batcher.ask(readReferralCode(code) ?? NO_CODE),
    close: () => batcher.close(),
  };
}
