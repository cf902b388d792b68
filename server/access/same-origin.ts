/** Which requests of a browser come from our own pages: decision 0061. */
import type { IncomingHttpHeaders } from 'node:http';
import { isOwnOrigin } from '../http/own-origin.ts';

type Call = {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly publicUrl: string;
};

/** Nothing that reads has an effect. */
export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Whether the browser says that another site sent this. Without both headers it is no change by our
 * pages: every browser names the origin of changes.
 */
export function isFromElsewhere({ method, headers, publicUrl }: Call): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return !(isReading(method) && site === 'none');
  if (origin === 'null') return true;
  return !isOwnOrigin(origin, host, publicUrl);
}

/** A program proves nothing, and so is not from our page. */
export function isFromOurPage(call: Call): boolean {
  const { origin, 'sec-fetch-site': site } = call.headers;
  return !isFromElsewhere(call) && (site !== undefined || origin !== undefined);
}
