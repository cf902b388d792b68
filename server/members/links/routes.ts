/** The pages behind the links in mails. They need no script, cookie or account. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { routePatterns } from '../../../contract/paths.ts';
import type { Database } from '../../db/database.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { confirmMember } from '../../line/change-member.ts';
import type { Links, OpenedLink } from './links.ts';
import { addPreferencesRoutes, type PreferencesOptions } from './preferences-routes.ts';

export async function addMemberLinkRoutes(
  server: HttpServer,
  links: Links,
  options: PreferencesOptions,
): Promise<void> {
  await server.register(async (scope: HttpServer) => {
    links.prepareScope(scope);
    addConfirmRoutes(scope, links, options.database);
    addPreferencesRoutes(scope, links, options);
  });
}

/** Scanners open links, so GET only shows a page with a button. */
function addConfirmRoutes(scope: HttpServer, links: Links, database: Database): void {
  const schema = { hide: true, params: Type.Object({ token: Type.String() }) };

  scope.get(routePatterns.confirmPage, { schema }, async (request, reply) => {
    const link = await links.read(request, 'confirm');
    if (link.state !== 'open') return sendClosed(request, reply, link);
    return links.sendMember(request, reply, { name: 'confirm', member: link.member });
  });

  scope.post(routePatterns.confirmPage, { schema }, async (request, reply) => {
    const link = await links.readForm(request, 'confirm');
    if (link.state !== 'open') return sendClosed(request, reply, link);
    const { id: memberId } = link.member;
    const outcome = await links.inSlot(link.member, () => confirmMember(database, { memberId }));
    if (outcome === 'unknown') return links.sendUnknown(request, reply);
    return links.sendMember(request, reply, { name: 'confirmed', member: link.member });
  });

  function sendClosed(request: FastifyRequest, reply: FastifyReply, { state }: OpenedLink) {
    if (state === 'expired') return links.send(request, reply.code(410), 'confirm-expired');
    return links.sendUnknown(request, reply);
  }
}
