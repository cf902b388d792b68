import type { FastifyRequest } from 'fastify';
import { Problem } from '../../problem.ts';

/**
 * Refuses form posts from other sites. Our referrer policy makes our own posts say `Origin: null`,
 * so that value proves nothing; over HTTPS, browsers send `Sec-Fetch-Site` too.
 */
export function refuseCrossSitePost({ headers }: FastifyRequest, publicUrl: string): void {
  const site = headers['sec-fetch-site'];
  const isOtherSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isOtherSite || !isOwnOrigin(headers.origin, headers.host, publicUrl)) {
    throw new Problem(
      'cross_site',
      'This form was sent from another site. Please use the form on our page.',
    );
  }
}

function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string,
): boolean {
  if (origin === undefined || origin === 'null' || origin === publicUrl) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
