/** Refuses form posts from other sites, which could use a visitor's browser to post for them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOwnOrigin } from '../../http/own-origin.ts';
import { Problem } from '../../problem.ts';

/**
 * Makes browsers name the true origin when a form of this page is posted. Under `no-referrer`,
 * which all other pages have, they say `Origin: null`, as the forms of other sites can.
 */
export function allowOriginOfForms(reply: FastifyReply): FastifyReply {
  return reply.header('referrer-policy', 'same-origin');
}

/** Refuses a post unless the browser says that it comes from our own page. */
export function requireSameOriginPost(request: FastifyRequest, publicUrl: string): void {
  const { origin = 'null', 'sec-fetch-site': site } = request.headers;
  if (site === undefined && origin === 'null') throw crossSite();
  refuseCrossSitePost(request, publicUrl);
}

/**
 * Refuses a post that says it comes from another site. Enough for the pages behind mail links: the
 * path holds a secret token, and their referrer policy hides the origin.
 */
export function refuseCrossSitePost({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOtherSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isOtherSite || !isOwnOrigin(origin, host, publicUrl)) throw crossSite();
}

function crossSite(): Problem {
  return new Problem(
    'cross_site',
    'This form was sent from another site. Please use the form on our page.',
  );
}
