/** Confirming an address: asked on a page, done by its button, as often as one likes. */
import { Type } from 'typebox';
import { routePatterns } from '../../contract/paths.ts';
import type { HttpServer } from '../http/http-server.ts';
import { sendPage } from '../pages/send-page.ts';
import { confirmMember } from '../waitlist/confirm-member.ts';
import { type LinkOptions, readFormLink, readLink, sendMemberPage, sendUnknown } from './link-scope.ts';

const schema = { hide: true, params: Type.Object({ token: Type.String() }) };

export function addConfirmRoutes(scope: HttpServer, options: LinkOptions): void {
  scope.get(routePatterns.confirmPage, { schema }, async (request, reply) => {
    const link = await readLink(options, request, 'confirm');
    if (link.state === 'expired') return sendPage(request, reply.code(410), options.pages.plain('confirm-expired'));
    if (link.state !== 'open') return sendUnknown(options, request, reply);
    return sendMemberPage(options, request, reply, { name: 'confirm', member: link.member });
  });

  scope.post(routePatterns.confirmPage, { schema }, async (request, reply) => {
    const link = await readFormLink(options, request, 'confirm');
    if (link.state === 'expired') return sendPage(request, reply.code(410), options.pages.plain('confirm-expired'));
    if (link.state !== 'open') return sendUnknown(options, request, reply);
    const outcome = await confirmMember(options.database, { memberId: link.member.id });
    if (outcome === 'unknown') return sendUnknown(options, request, reply);
    return sendMemberPage(options, request, reply, { name: 'confirmed', member: link.member });
  });
}
