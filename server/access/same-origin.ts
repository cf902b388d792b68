import type { IncomingHttpHeaders } from 'node:http';
import { isOwnOrigin } from '../http/own-origin.ts';

type Call = {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly publicUrl: string;
};

export function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** A change by our pages has one of the headers: browsers name the origin of changes. */
export function isFromElsewhere({ method, headers, publicUrl }: Call): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') return !(isReading(method) && site === 'none');
  if (origin === 'null') return true;
  return !isOwnOrigin(origin, host, publicUrl);
}

export function isFromOurPage(call: Call): boolean {
  const { origin, 'sec-fetch-site': site } = call.headers;
  return !isFromElsewhere(call) && (site !== undefined || origin !== undefined);
}
