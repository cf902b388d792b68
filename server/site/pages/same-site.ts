import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOwnOrigin } from '../../http/own-origin.ts';
import { Problem } from '../../problem.ts';

/** Under `no-referrer` forms send `Origin: null`, which other sites can send, too. */
export function allowOriginOfForms(reply: FastifyReply): FastifyReply {
  return reply.header('referrer-policy', 'same-origin');
}

export function requireSameOriginPost(request: FastifyRequest, publicUrl: string): void {
  const { origin = 'null', 'sec-fetch-site': site } = request.headers;
  if (site === undefined && origin === 'null') throw crossSite();
  refuseCrossSitePost(request, publicUrl);
}

/** Pages behind mail links need no more: their path holds a secret. */
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
