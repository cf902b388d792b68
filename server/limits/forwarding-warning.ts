/** Says once what is to be set, when what a proxy tells of visitors is not listened to: else nobody would notice until a limit is reached. */
import type { IncomingHttpHeaders } from 'node:http';
import type { HttpServer } from '../http/http-server.ts';
import { openRanges } from './client-address.ts';

/** What proxies tell visitors' addresses in. The first is the one that a named proxy is believed. */
const FORWARDING_HEADERS = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'fastly-client-ip',
  'fly-client-ip',
] as const;

const NOT_NAMED =
  'A peer that TRUST_PROXY does not name sends forwarding headers, which are not believed. If it is your proxy, set TRUST_PROXY to its ' +
  'address: until then all its visitors count as one, or without a limit of their own when it is on this machine.';
const NOT_UNDERSTOOD =
  'A proxy that TRUST_PROXY names tells visitors in another header than X-Forwarded-For, the one that is read. Have it send that one, too: ' +
  'until then all its visitors count as one.';

/** At most one warning of each kind in the life of the server; none has an address of a visitor in it. */
export function warnOfForwarding(server: HttpServer, trustProxy: readonly string[]): void {
  const isNamed = openRanges(trustProxy);
  const toWarn = new Set([NOT_NAMED, NOT_UNDERSTOOD]);

  function warn(message: string): void {
    if (toWarn.delete(message)) server.log.warn(message);
  }

  server.addHook('onRequest', (request, _reply, done) => {
    if (toWarn.size > 0 && isForwarded(request.headers)) {
      if (!isNamed(request.raw.socket.remoteAddress ?? '')) warn(NOT_NAMED);
      else if (request.headers['x-forwarded-for'] === undefined) warn(NOT_UNDERSTOOD);
    }
    done();
  });
}

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
}
