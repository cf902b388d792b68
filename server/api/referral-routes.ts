/** SPEC 7: verify a referral code. */
import { Type } from 'typebox';
import { routePatterns } from '../../contract/paths.ts';
import { ErrorBody, ReferralVerification } from '../../contract/schemas.ts';
import type { Limits } from '../guard/limits/limits.ts';
import type { HttpServer } from '../http/http-server.ts';

type ReferralOptions = {
  readonly limits: Limits;
  readonly verifyReferral: (code: string) => Promise<ReferralVerification>;
};

export function addReferralRoutes(
  server: HttpServer,
  { limits, verifyReferral }: ReferralOptions,
): void {
  server.get(
    routePatterns.verifyReferral,
    {
      schema: {
        summary: 'Verify a referral code',
        params: Type.Object({ code: Type.String() }),
        response: { 200: ReferralVerification, 404: ErrorBody, 429: ErrorBody },
      },
    },
    async (request) => {
      const refund = limits.countGuess(request.ip);
      const verification = await verifyReferral(request.params.code);
      if (verification.valid) refund();
      return verification;
    },
  );
}
