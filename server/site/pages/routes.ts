import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../../brand/brand-shape.ts';
import { fillPath, landingWithReferral, pagePaths } from '../../../contract/paths.ts';
import { UNKNOWN_CODE } from '../../../contract/plain-invite.ts';
import {
  findLinkedCode,
  findReferralCode,
  readReferralCode,
} from '../../../contract/referral-code-rules.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { fixPage, sendFixedPage, sendPage } from '../../http/send-page.ts';
import type { Counters } from '../../line/funnel/counters.ts';
import { isVisit } from '../../line/funnel/visit-rules.ts';
import { readPageSource } from '../../line/sources/source-rules.ts';
import type { GhostDrawer } from './draw-ghost.ts';
import { inviteHead, landingHead, notFoundHead, statusHead } from './head.ts';
import type { SendPlainInvite } from './plain-invite.ts';
import { isPlainAsked, type SendPlainStatus } from './plain-status.ts';
import { allowOriginOfForms } from './same-site.ts';
import {
  EMPTY_FORM,
  type FormState,
  fillForm,
  fillGhost,
  fillHead,
  type Templates,
} from './templates.ts';

/** The back/forward cache may use the page; any other use is revalidated. */
const PERSONAL_CACHE = 'private, no-cache';

type PageOptions = {
  readonly brand: Brand;
  readonly publicUrl: string;
  readonly cardVersion: string;
  readonly templates: Templates;
};

type PageRouteOptions = Omit<PageOptions, 'cardVersion'> & {
  readonly ghosts: Pick<GhostDrawer, 'drawInvite' | 'isMembers'>;
  readonly sendPlainStatus: SendPlainStatus;
  readonly sendPlainInvite: SendPlainInvite;
  readonly counters: Pick<Counters, 'countVisit' | 'countOpening'>;
};

export type Pages = ReturnType<typeof openPages>;

export function openPages({ brand, publicUrl, cardVersion, templates }: PageOptions) {
  const site = { brand, publicUrl };
  const landing = fillHead(templates.landing, landingHead(site));
  const referred = fillHead(templates['landing-referred'], landingHead(site));
  const notFound = fixPage(fillHead(templates['not-found'], notFoundHead(site)));
  return {
    landing: (form: FormState, isReferred: boolean | null = null) =>
      fillForm(isReferred ? referred : landing, {
        ...form,
        note: isReferred === false ? UNKNOWN_CODE : '',
      }),
    invite(code: string, query: string, ghost: string): string {
      const head = inviteHead(site, { code, cardVersion, query });
      const form = { ...EMPTY_FORM, referral: code };
      return fillGhost(fillForm(fillHead(templates.invite, head), form), ghost);
    },
    async sendNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const code = findLinkedCode(request.url);
      if (code !== null) return redirectTo(reply, fillPath(pagePaths.invite, code));
      reply.code(404).header('cache-control', 'no-cache').header('x-robots-tag', 'noindex');
      return sendFixedPage(request, reply, notFound);
    },
  };
}

export function addPageRoutes(server: HttpServer, pages: Pages, options: PageRouteOptions): void {
  const { brand, publicUrl, templates, ghosts, counters } = options;
  const { sendPlainStatus, sendPlainInvite } = options;
  addSlashRedirects(server);
  const draw = fixPage(templates.draw);
  server.get(pagePaths.draw, { schema: { hide: true } }, (request, reply) =>
    sendFixedPage(request, reply.header('cache-control', 'public, no-cache'), draw),
  );
  const landing = fixPage(pages.landing(EMPTY_FORM));
  const ownHost = new URL(publicUrl).host;

  /** Runs after the answer. A 304 was counted when the browser first loaded the page. */
  function count(page: 'landing' | 'invite', code: string, request: FastifyRequest): void {
    const known = findReferralCode(code);
    if (known !== null) counters.countOpening(known);
    if (!isVisit(request)) return;
    const { referer } = request.headers;
    const source = readPageSource({ url: request.url, referer }, ownHost);
    counters.countVisit(page, source, request.ip);
  }

  const countLanding = async (request: FastifyRequest, { statusCode }: FastifyReply) => {
    if (statusCode === 200) count('landing', readReferral(request), request);
  };
  const landingOptions = { schema: { hide: true }, onResponse: countLanding };
  server.get(pagePaths.landing, landingOptions, async (request, reply) => {
    const referral = readReferral(request);
    allowOriginOfForms(reply).header('cache-control', 'public, no-cache');
    if (findReferralCode(referral) === null) {
      const code = findLinkedCode(request.url);
      if (code !== null) return redirectTo(reply, landingWithReferral(code));
    }
    if (referral === '') return sendFixedPage(request, reply, landing);
    const isReferred = await ghosts.isMembers(referral, request.ip);
    return sendPage(request, reply, pages.landing({ ...EMPTY_FORM, referral }, isReferred));
  });

  server.get(
    pagePaths.status,
    { schema: { hide: true, params: Type.Object({ memberId: Type.String() }) } },
    async (request, reply) => {
      const { memberId } = request.params;
      if (memberId === '') return pages.sendNotFound(request, reply);
      if (isPlainAsked(request)) return sendPlainStatus(request, reply, memberId);
      const head = statusHead({ brand, publicUrl }, memberId);
      return sendPage(request, markPersonal(reply), fillHead(templates.status, head));
    },
  );

  server.get(
    pagePaths.invite,
    {
      schema: { hide: true, params: Type.Object({ code: Type.String() }) },
      async onResponse(request, { statusCode }) {
        // The plain version is part of the same visit.
        if (statusCode === 200 && !isPlainAsked(request))
          count('invite', request.params.code, request);
      },
    },
    async (request, reply) => {
      const { code } = request.params;
      if (code === '') return pages.sendNotFound(request, reply);
      const known = findReferralCode(code) ?? findLinkedCode(request.url);
      if (known !== null && readReferralCode(code) === null)
        return redirectTo(reply, fillPath(pagePaths.invite, known), queryOf(request));
      if (isPlainAsked(request)) return sendPlainInvite(request, reply, code);
      markPersonal(allowOriginOfForms(reply));
      const ghost = await ghosts.drawInvite(code, request.ip);
      return sendPage(request, reply, pages.invite(code, queryOf(request), ghost));
    },
  );
}

function addSlashRedirects(server: HttpServer): void {
  for (const pattern of [pagePaths.status, pagePaths.invite]) {
    server.get<{ Params: Record<string, string> }>(
      `${pattern}/`,
      { schema: { hide: true } },
      async (request, reply) => {
        const [param = ''] = Object.values(request.params);
        return redirectTo(reply, fillPath(pattern, param), queryOf(request));
      },
    );
  }
}

export function readReferral({ query }: FastifyRequest): string {
  const { ref = '' } = query as Record<string, string | string[]>;
  // A link may have been pasted twice.
  return [ref].flat().join(' ').trim();
}

function queryOf({ url }: FastifyRequest): string {
  return url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
}

function redirectTo(reply: FastifyReply, path: string, query = ''): FastifyReply {
  return markPersonal(reply).redirect(path + (query && `?${query}`), 308);
}

function markPersonal(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', PERSONAL_CACHE).header('x-robots-tag', 'noindex');
}
