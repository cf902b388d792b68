import { Type } from 'typebox';
import { apiPaths } from '../../../contract/paths.ts';
import {
  ErrorBody,
  InviterRequest,
  InviterView,
  Member,
  REFUSED_MEMBER_CALL,
} from '../../../contract/schemas.ts';
import { type HttpServer, publicRoute } from '../../http/http-server.ts';
import type { Inviters } from './guarded-inviter.ts';

type InviterRouteOptions = {
  readonly getStatus: (memberId: string) => Promise<Member>;
  readonly inviters: Inviters;
};

export function addInviterRoutes(
  server: HttpServer,
  { getStatus, inviters }: InviterRouteOptions,
): void {
  const params = Type.Object({ memberId: Type.String() });

  server.get(
    apiPaths.inviter,
    publicRoute('Whether a member may say who invited them', {
      params,
      response: { 200: InviterView, 404: ErrorBody, 503: ErrorBody },
    }),
    async (request): Promise<InviterView> => {
      const { until } = await inviters.ask(request.params.memberId);
      return { until: until?.toISOString() ?? null };
    },
  );

  server.post(
    apiPaths.inviter,
    publicRoute('Say who invited a member that joined without an invite', {
      description:
        'Once, within 24 hours of the join. The inviter is credited as if the member had ' +
        'joined by the invite. 409: it is too late, the inviter is known, is the member, or ' +
        'came by their invite. 422: no invite link of this site, or a code that no member has.',
      params,
      body: InviterRequest,
      response: { 200: Member, ...REFUSED_MEMBER_CALL, 409: ErrorBody },
    }),
    async (request) => {
      const { memberId } = request.params;
      await inviters.give(request, { memberId, invite: request.body.invite });
      return await getStatus(memberId);
    },
  );
}
