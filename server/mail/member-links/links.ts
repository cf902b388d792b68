/** What all routes behind the links in mails share. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BrandArt } from '../../../brand/brand-shape.ts';
import type { MailPageName } from '../../../contract/mail-pages.ts';
import type { Database } from '../../db/database.ts';
import type { Limits } from '../../guard/limits/limits.ts';
import { statusOfProblem, toProblem } from '../../http/errors.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { describeError } from '../../http/request-log.ts';
import { getRecipients, type Recipient } from '../../line/get-recipients.ts';
import { maskEmail } from '../../line/referrals/mask-email-rules.ts';
import { openGhostDrawer } from '../../site/pages/draw-ghost.ts';
import { refuseCrossSitePost } from '../../site/pages/same-site.ts';
import { sendPage } from '../../site/pages/send-page.ts';
import { fillGhost, fillPlaces, type Templates } from '../../site/pages/templates.ts';
import { type LinkPurpose, readLinkToken } from '../link-token.ts';

export type LinkOptions = {
  readonly art: BrandArt;
  readonly templates: Templates;
  readonly database: Database;
  readonly secretKey: string;
  readonly publicUrl: string;
  readonly limits: Limits;
};

export type OpenedLink =
  /** Signed by this server, for a current member. */
  | { readonly state: 'open' | 'expired'; readonly member: Recipient }
  /** Signed by this server, for a member who has left. */
  | { readonly state: 'left' }
  | { readonly state: 'invalid' };

export type Links = ReturnType<typeof openLinks>;

export function openLinks(options: LinkOptions) {
  const { database, secretKey, publicUrl, limits, templates } = options;
  const drawGhost = openGhostDrawer(options.art);

  /** Only invalid tokens count towards the limit: mail providers may follow all valid links. */
  async function read(request: FastifyRequest, purpose: LinkPurpose): Promise<OpenedLink> {
    const claims = readLinkToken(secretKey, { token: tokenOf(request), purpose });
    if (claims === null) {
      limits.countWrongLink(request.ip);
      return { state: 'invalid' };
    }
    const member = (await getRecipients(database, [claims.memberId])).get(claims.memberId);
    if (member === undefined) return { state: 'left' };
    return { state: claims.expiresAt.getTime() > Date.now() ? 'open' : 'expired', member };
  }

  /** For forms of our own pages: refuses cross-site posts and counts every use towards a limit. */
  async function readForm(request: FastifyRequest, purpose: LinkPurpose): Promise<OpenedLink> {
    refuseCrossSitePost(request, publicUrl);
    const link = await read(request, purpose);
    if (link.state !== 'invalid') limits.countLinkUse(request.ip);
    return link;
  }

  /** A page about no member. `detail` says why a request was refused. */
  function send(request: FastifyRequest, reply: FastifyReply, name: MailPageName, detail = '') {
    return sendPage(request, reply, fillPlaces(templates[name], { detail }));
  }

  function sendUnknown(request: FastifyRequest, reply: FastifyReply) {
    return send(request, reply.code(404), 'link-unknown');
  }

  /** Masks the address: mails get forwarded. */
  function sendMember(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, member }: { name: MailPageName; member: Recipient },
  ) {
    const page = fillPlaces(templates[name], {
      token: tokenOf(request),
      email: maskEmail(member.address),
      position: String(member.position),
      'member-id': member.id,
    });
    return sendPage(request, reply, fillGhost(page, drawGhost(member.referralCode)));
  }

  /** Answers are not cached or indexed, refusals are pages, and any content type is accepted. */
  function prepareScope(scope: HttpServer): void {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    // RFC 8058 allows multipart too. Its body is ignored: the path says what to do.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) =>
      done(null, null),
    );
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    });
    scope.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error);
      if (problem === null) request.log.error({ error: describeError(error) }, 'request failed');
      reply.code(problem === null ? 500 : statusOfProblem(problem));
      if (problem?.retryAfterSeconds !== undefined)
        reply.header('retry-after', String(problem.retryAfterSeconds));
      const name = problem?.code === 'unknown_member' ? 'link-unknown' : 'link-trouble';
      const detail = problem?.detail ?? 'Something went wrong on our side. Please try again later.';
      return send(request, reply, name, detail);
    });
  }

  return { read, readForm, send, sendUnknown, sendMember, prepareScope };
}

function tokenOf({ params }: FastifyRequest): string {
  return (params as { token: string }).token;
}
