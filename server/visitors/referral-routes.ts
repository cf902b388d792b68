import { Type } from 'typebox';
import { routePatterns } from '../../contract/paths.ts';
import { ErrorBody, ReferralVerification } from '../../contract/schemas.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { VerifyCode } from './verify-code.ts';

export function addReferralRoutes(server: HttpServer, verifyCode: VerifyCode): void {
  server.get(
    routePatterns.verifyReferral,
    {
      schema: {
        summary: 'Verify a referral code',
        params: Type.Object({ code: Type.String() }),
        response: { 200: ReferralVerification, 404: ErrorBody, 429: ErrorBody },
      },
    },
    async ({ ip, params }) => verifyCode(params.code, ip),
  );
}
