/** What all routes behind the links of mails have in common. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MailPageName } from '../../contract/mail-pages.ts';
import type { Database } from '../db/database.ts';
import { statusOfProblem, toProblem } from '../http/errors.ts';
import type { HttpServer } from '../http/http-server.ts';
import { describeError } from '../http/request-log.ts';
import type { Limits } from '../limits/limits.ts';
import type { LinkPurpose } from '../mail/link-token.ts';
import { refuseCrossSitePost } from '../pages/same-site.ts';
import { sendPage } from '../pages/send-page.ts';
import type { Recipient } from '../waitlist/get-recipients.ts';
import type { MailPages } from './mail-pages.ts';
import { type OpenedLink, openLink } from './open-link.ts';

export type LinkOptions = {
  readonly database: Database;
  readonly secretKey: string;
  readonly publicUrl: string;
  readonly limits: Limits;
  readonly pages: MailPages;
};

/** Nothing here is kept by a browser or found by a search engine, every refusal is a page, and any body is read. */
export function prepareLinkScope(scope: HttpServer, { pages }: LinkOptions): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, new URLSearchParams(String(body))),
  );
  // The one click of RFC 8058 may come as multipart: what it says is known from where it is sent.
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null, null));
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
  });
  scope.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error);
    if (problem === null) request.log.error({ error: describeError(error) }, 'request failed');
    reply.code(problem === null ? 500 : statusOfProblem(problem));
    if (problem?.retryAfterSeconds !== undefined) reply.header('retry-after', String(problem.retryAfterSeconds));
    const page: MailPageName = problem?.code === 'unknown_member' ? 'link-unknown' : 'link-trouble';
    const detail = problem?.detail ?? 'Something went wrong on our side. Please try again later.';
    return sendPage(request, reply, pages.plain(page, detail));
  });
}

/** Whose link it is. Only wrong ones are counted, so that a mail provider may follow as many as it likes. */
export async function readLink(
  { database, secretKey, limits }: LinkOptions,
  request: FastifyRequest,
  purpose: LinkPurpose,
): Promise<OpenedLink> {
  const { token } = request.params as { token: string };
  const link = await openLink(database, secretKey, { token, purpose });
  if (link.state === 'wrong') limits.countWrongLink(request.ip);
  return link;
}

/** The same for what a person sends from one of our pages. Mail programs, which send no origin, pass. */
export async function readFormLink(
  options: LinkOptions,
  request: FastifyRequest,
  purpose: LinkPurpose,
): Promise<OpenedLink> {
  refuseCrossSitePost(request, options.publicUrl);
  const link = await readLink(options, request, purpose);
  if (link.state !== 'wrong') options.limits.countLinkUse(request.ip);
  return link;
}

export async function sendUnknown(
  { pages }: LinkOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return sendPage(request, reply.code(404), pages.plain('link-unknown'));
}

export async function sendMemberPage(
  { pages }: LinkOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { name, member }: { name: MailPageName; member: Recipient },
): Promise<FastifyReply> {
  const { token } = request.params as { token: string };
  return sendPage(request, reply, pages.ofMember(name, { token, member }));
}
