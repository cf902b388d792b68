/** Warns when forwarding headers of a proxy are ignored: its visitors would share one limit. */
import { openRanges } from '../../http/admission/client-address.ts';
import type { HttpServer } from '../../http/http-server.ts';

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

const UNTRUSTED =
  'Ignored forwarding headers from a peer that TRUST_PROXY does not name. If it is your proxy, ' +
  'set TRUST_PROXY to its address. Until then all its visitors count as one, or have no limit of ' +
  'their own if the proxy is on this machine.';
const UNSUPPORTED =
  'A proxy that TRUST_PROXY names does not send X-Forwarded-For, the only forwarding header that ' +
  'is read. Configure it to. Until then all its visitors count as one.';

export function warnAboutForwarding(server: HttpServer, trustProxy: readonly string[]): void {
  const isTrusted = openRanges(trustProxy);
  const unsent = new Set([UNTRUSTED, UNSUPPORTED]);

  function warn(message: string): void {
    if (unsent.delete(message)) server.log.warn(message);
  }

  server.addHook('onRequest', (request, _reply, done) => {
    const peer = request.raw.socket.remoteAddress;
    if (
      unsent.size > 0 &&
      peer !== undefined &&
      FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)
    ) {
      if (!isTrusted(peer)) warn(UNTRUSTED);
      else if (request.headers['x-forwarded-for'] === undefined) warn(UNSUPPORTED);
    }
    done();
  });
}
