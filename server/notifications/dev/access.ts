/** Kept mails hold links that erase members, so they are shown on this machine alone. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { devMailPaths, devMailWithKey } from '../../../contract/dev-mail-paths.ts';
import type { Config } from '../../config.ts';
import { isLoopbackHost } from '../../http/admission/client-address.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { Problem } from '../../problem.ts';

/** X-Forwarded-For and its kin, X-Real-IP, CF-Connecting-IP, Via and the like. */
const FORWARDING_HEADER = /^(?:via|(?:x-)?forwarded(?:-.+)?|.+-ip)$/;
const COOKIE = 'kept-mail';

export type DevMailAccess = NonNullable<ReturnType<typeof openDevMailAccess>>;

/** Null unless mail is kept and shown. Call it before the first route. */
export function openDevMailAccess(
  server: HttpServer,
  { config, secretKey }: { readonly config: Config; readonly secretKey: string },
) {
  if (!showsKeptMail(config)) return null;
  const key = keptMailKey(secretKey);
  let whyClosed: string | null = null;

  server.addHook('onRequest', (request, _reply, done) => {
    const sign = whyClosed === null ? signOfProxy(request) : null;
    if (sign !== null) {
      whyClosed =
        `Kept mail is not shown until the next start: a request came with ${sign}, so a proxy ` +
        'may let others in. Set PUBLIC_URL and SMTP_URL, or stop the proxy.';
      server.log.warn(whyClosed);
    }
    done();
  });

  return {
    address: config.publicUrl + devMailWithKey(key),
    async refuseWhenClosed(): Promise<void> {
      if (whyClosed !== null) throw new Problem('unknown_path', whyClosed);
    },
    /** The address sets a cookie, and leads on without the key. Throws Problem unknown_path. */
    async requireKey(request: FastifyRequest, reply: FastifyReply) {
      const { key: shown } = request.query as { key?: unknown };
      if (typeof shown === 'string' && isSame(shown, key))
        return reply
          .header('set-cookie', `${COOKIE}=${key}; Path=/dev/mail; HttpOnly; SameSite=Strict`)
          .header('cache-control', 'no-store')
          .redirect(devMailPaths.list, 303);
      const kept = new RegExp(`(?:^|; *)${COOKIE}=([^;]*)`).exec(request.headers.cookie ?? '')?.[1];
      if (kept !== undefined && isSame(kept, key)) return;
      throw new Problem(
        'unknown_path',
        'Kept mail needs its key: open the address that the server printed when it started.',
      );
    },
  };
}

/** The same after a restart, so that an open page goes on working. */
export function keptMailKey(secretKey: string): string {
  return createHmac('sha256', secretKey).update('kept mail').digest('base64url');
}

/** A public origin or a trusted proxy means that other machines reach the server. */
function showsKeptMail({ smtpUrl, host, publicUrl, trustProxy }: Config): boolean {
  const isLocalOnly =
    isLoopbackHost(host) && isLoopbackHost(new URL(publicUrl).hostname) && trustProxy.length === 0;
  return smtpUrl === null && isLocalOnly;
}

/** nginx without settings speaks HTTP/1.0; a foreign host also stands for DNS rebinding. */
function signOfProxy({ raw, hostname }: { raw: IncomingMessage; hostname: string }): string | null {
  const header = Object.keys(raw.headers).find((name) => FORWARDING_HEADER.test(name));
  if (header !== undefined) return `the header ${header}`;
  if (raw.httpVersion === '1.0') return 'HTTP/1.0';
  return isLoopbackHost(hostname) ? null : 'the host name of another machine';
}

function isSame(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
