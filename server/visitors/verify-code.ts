import type { ReferralVerification } from '../../contract/schemas.ts';
import type { Limits } from '../guard/limits/limits.ts';

/** Throws Problem rate_limited instead of revealing that a code is wrong. */
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
