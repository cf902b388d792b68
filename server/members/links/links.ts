import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MailPageName, MailPagePlace } from '../../../contract/mail-pages.ts';
import { openKeyedLimit } from '../../guard/concurrency/keyed-limit.ts';
import { markRefused, toProblem } from '../../http/errors.ts';
import { acceptForms } from '../../http/form-bodies.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { describeError } from '../../http/request-log.ts';
import { sendPage } from '../../http/send-page.ts';
import { getRecipients, type Recipient } from '../../line/get-recipients.ts';
import { maskEmail } from '../../line/referrals/mask-email-rules.ts';
import { type LinkPurpose, readLinkToken } from '../../mail/link-token.ts';
import type { Platform } from '../../module.ts';
import type { Site } from '../../site/module.ts';
import { refuseCrossSitePost } from '../../site/pages/same-site.ts';
import { fillChoices, fillGhost, fillPlaces, type Templates } from '../../site/pages/templates.ts';

export type OpenedLink =
  | { readonly state: 'open' | 'expired'; readonly member: Recipient }
  /** Signed by this server, for a member who has left or has another mailbox by now. */
  | { readonly state: 'void' }
  | { readonly state: 'invalid' };

const MAX_AT_ONCE = { embedded: 1, postgres: 3 };
const MAX_WAITING = 64;

type Link = { readonly ip: string; readonly token: string };

type MemberPage = {
  readonly name: MailPageName;
  readonly member: Recipient;
  readonly places?: Readonly<Partial<Record<MailPagePlace, string>>>;
  readonly choices?: string;
};

export type Links = ReturnType<typeof openLinks>;

export function openLinks(
  { config, brand, database, secretKey, limits }: Platform,
  { site, templates }: { readonly site: Site; readonly templates: Templates },
) {
  const slots = openKeyedLimit({
    maxAtOnce: MAX_AT_ONCE[database.engine],
    maxWaiting: MAX_WAITING,
  });
  const leaveSlots = openKeyedLimit({ maxAtOnce: 1, maxWaiting: MAX_WAITING });

  async function open(
    { ip, token }: Link,
    purpose: LinkPurpose,
    count: (memberId: string) => void = () => {},
  ): Promise<OpenedLink> {
    const claims = readLinkToken(secretKey, { token, purpose });
    if (claims === null) {
      limits.count('wrong-link', ip);
      return { state: 'invalid' };
    }
    const { memberId, mailbox, expiresAt } = claims;
    count(memberId);
    const found = await slots.take(memberId, () => getRecipients(database, [memberId]));
    const member = found.get(memberId);
    if (member === undefined || member.mailbox !== mailbox) return { state: 'void' };
    return { state: expiresAt.getTime() > Date.now() ? 'open' : 'expired', member };
  }

  /** Counts by member and address, because the holder of the link acts. */
  async function use(link: Link, purpose: LinkPurpose): Promise<OpenedLink> {
    return open(link, purpose, (memberId) => limits.countLinkUse({ ip: link.ip, memberId }));
  }

  function send(request: FastifyRequest, reply: FastifyReply, name: MailPageName, detail = '') {
    return sendPage(request, reply, fillPlaces(templates[name], { detail }));
  }

  async function sendMember(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, member, places, choices = '' }: MemberPage,
  ) {
    const page = fillPlaces(templates[name], {
      token: tokenOf(request),
      email: maskEmail(member.address),
      position: member.position.toLocaleString(brand.language),
      'member-id': member.id,
      ...places,
    });
    const ghost = await site.ghosts.drawMember(member.referralCode, request.ip);
    return sendPage(request, reply, fillGhost(fillChoices(page, choices), ghost));
  }

  function prepareScope(scope: HttpServer): void {
    acceptForms(scope);
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
      markRefused(reply, problem);
      const name = problem?.code === 'unknown_member' ? 'link-unknown' : 'link-trouble';
      const detail = problem?.detail ?? 'Something went wrong on our side. Please try again later.';
      return send(request, reply, name, detail);
    });
  }

  return {
    /** Counts by member: a mail provider may follow the links of all its users from one address. */
    read: (request: FastifyRequest, purpose: LinkPurpose) =>
      open(linkOf(request), purpose, limits.countLinkOpening),
    readOneClick: (request: FastifyRequest) => open(linkOf(request), 'preferences'),
    async readForm(request: FastifyRequest, purpose: LinkPurpose): Promise<OpenedLink> {
      refuseCrossSitePost(request, config.publicUrl);
      return use(linkOf(request), purpose);
    },
    use,
    inSlot: <Result>({ id }: Recipient, work: () => Promise<Result>) => slots.resume(id, work),
    /** Never refused. A leave holds the line lock until the commit, so only one waits for it. */
    leaveInSlot: <Result>({ id }: Recipient, work: () => Promise<Result>) =>
      leaveSlots.resume(id, work),
    send,
    sendUnknown: (request: FastifyRequest, reply: FastifyReply) =>
      send(request, reply.code(404), 'link-unknown'),
    sendMember,
    prepareScope,
  };
}

const linkOf = (request: FastifyRequest): Link => ({ ip: request.ip, token: tokenOf(request) });

function tokenOf({ params }: FastifyRequest): string {
  return (params as { token: string }).token;
}
