/** A member's own page: mail on and off, their data, leaving. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brand/brand-shape.ts';
import { MAIL_FIELD, type MailState } from '../../contract/mail-pages.ts';
import { mailPagePaths, routePatterns } from '../../contract/paths.ts';
import type { HttpServer } from '../http/http-server.ts';
import { getSuppression, resumeAddress, suppressAddress } from '../mail/suppression/suppression.ts';
import { sendPage } from '../pages/send-page.ts';
import { Problem } from '../problem.ts';
import type { Recipient } from '../waitlist/get-recipients.ts';
import { eraseMember } from './erase-member.ts';
import { getMemberData } from './get-member-data.ts';
import { type LinkOptions, readFormLink, readLink, sendMemberPage, sendUnknown } from './link-scope.ts';
import type { OpenedLink } from './open-link.ts';

export type PreferencesOptions = LinkOptions & { readonly brand: Brand; readonly dataDir: string };

const schema = { hide: true, params: Type.Object({ token: Type.String() }) };

export function addPreferencesRoutes(scope: HttpServer, options: PreferencesOptions): void {
  const { database, secretKey, brand, dataDir } = options;
  const sendPreferences = (request: FastifyRequest, reply: FastifyReply) => answerWithPage(options, request, reply);

  scope.get(routePatterns.preferencesPage, { schema }, sendPreferences);
  // A mail program that does not know the one click opens its link: it asks, and changes nothing.
  scope.get(routePatterns.unsubscribe, { schema }, sendPreferences);

  scope.post(routePatterns.preferencesPage, { schema }, async (request, reply) => {
    const link = await readFormLink(options, request, 'preferences');
    if (!('member' in link)) return sendUnknown(options, request, reply);
    const { identity } = link.member;
    const wish = request.body instanceof URLSearchParams ? request.body.get(MAIL_FIELD) : null;
    if (wish === 'stopped') await suppressAddress(database, secretKey, { identity, reason: 'stopped' });
    else if (wish === 'sending') await resumeAddress(database, secretKey, identity);
    else throw new Problem('invalid_field', 'Please use the buttons of the page.');
    return reply.redirect(mailPagePaths.preferences(request.params.token), 303);
  });

  // RFC 8058: sent by the mail provider, without a cookie or an origin, and not to be redirected.
  scope.post(routePatterns.unsubscribe, { schema }, async (request, reply) => {
    const link = await readLink(options, request, 'preferences');
    if (link.state === 'wrong') return sendUnknown(options, request, reply);
    if ('member' in link)
      await suppressAddress(database, secretKey, { identity: link.member.identity, reason: 'stopped' });
    return reply.type('text/plain; charset=utf-8').send('No more mail is sent to this address.\n');
  });

  scope.post(routePatterns.downloadData, { schema }, async (request, reply) => {
    const link = await readFormLink(options, request, 'preferences');
    if (link.state !== 'open') return answerClosedLink(options, request, reply, link);
    const { member } = link;
    const data = await getMemberData(database, { brand, secretKey, member });
    return reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="my-waitlist-data.json"')
      .send(`${JSON.stringify(data, null, 2)}\n`);
  });

  scope.get(routePatterns.leave, { schema }, async (request, reply) => {
    const link = await readLink(options, request, 'preferences');
    if (link.state !== 'open') return answerClosedLink(options, request, reply, link);
    return sendMemberPage(options, request, reply, { name: 'leave', member: link.member });
  });

  scope.post(routePatterns.leave, { schema }, async (request, reply) => {
    const link = await readFormLink(options, request, 'preferences');
    if (link.state !== 'open') return answerClosedLink(options, request, reply, link);
    const { member } = link;
    await eraseMember(database, { memberId: member.id, dataDir });
    return sendPage(request, reply, options.pages.plain('left'));
  });
}

async function answerWithPage(
  options: PreferencesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const link = await readLink(options, request, 'preferences');
  if (link.state !== 'open') return answerClosedLink(options, request, reply, link);
  const mail = await readMailState(options, link.member);
  return sendMemberPage(options, request, reply, { name: `preferences-${mail}`, member: link.member });
}

/** Of an expired link: what it is still good for. Of others: that they lead nowhere. */
async function answerClosedLink(
  options: PreferencesOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  link: OpenedLink,
): Promise<FastifyReply> {
  if (!('member' in link)) return sendUnknown(options, request, reply);
  const mail = await readMailState(options, link.member);
  return sendMemberPage(options, request, reply.code(410), {
    name: `preferences-expired-${mail}`,
    member: link.member,
  });
}

async function readMailState({ database, secretKey }: PreferencesOptions, { identity }: Recipient): Promise<MailState> {
  return (await getSuppression(database, secretKey, identity))?.reason ?? 'sending';
}
