import type { ReferralVerification } from '../../contract/schemas.ts';
import type { Limits } from '../guard/limits/limits.ts';

/**
 * A visitor's look-up of a referral code, of which wrong ones are counted. Throws Problem
 * rate_limited instead of revealing that a code is wrong, too_busy or unavailable.
 */
export type VerifyCode = (code: string, ip: string) => Promise<ReferralVerification>;

type VerifyOptions = {
  readonly limits: Pick<Limits, 'admitLookUp' | 'countWrongCode'>;
  readonly verifyReferral: (code: string) => Promise<ReferralVerification>;
};

export function guardVerification({ limits, verifyReferral }: VerifyOptions): VerifyCode {
  return async (code, ip) => {
    limits.admitLookUp(ip);
    const verification = await verifyReferral(code);
    if (!verification.valid) limits.countWrongCode(ip);
    return verification;
  };
}
