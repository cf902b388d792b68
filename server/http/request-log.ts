/** One log line per request has its route, because a URL can hold an id or a code. */
import type { FastifyBaseLogger } from 'fastify';
import { isUnavailableError } from '../db/postgres/is-unavailable-error.ts';
import type { HttpServer } from './http-server.ts';

const HEALTH_ROUTES = ['/healthz', '/readyz', '/metrics'];

export function addRequestLog(server: HttpServer): void {
  server.addHook('onResponse', ({ method, routeOptions, log }, reply, done) => {
    const { url: route = 'unknown' } = routeOptions;
    const line = { method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    log[HEALTH_ROUTES.includes(route) ? 'debug' : 'info'](line, 'request');
    done();
  });
}

const HANG_UP_LOG_INTERVAL_MS = 60_000;

export function openHangUpLog(log: FastifyBaseLogger): { count(): void } {
  let requests = 0;
  let isWaiting = false;

  function write(): void {
    isWaiting = requests > 0;
    if (!isWaiting) return;
    log.info({ requests }, 'clients hung up before they were answered');
    requests = 0;
    setTimeout(write, HANG_UP_LOG_INTERVAL_MS).unref();
  }

  return {
    count() {
      requests += 1;
      if (!isWaiting) write();
    },
  };
}

/** Outages of PostgreSQL are on level debug: their start and end are logged elsewhere, once. */
export function logFailure(
  log: Pick<FastifyBaseLogger, 'debug' | 'warn' | 'error'>,
  level: 'warn' | 'error',
  error: unknown,
  message: string,
): void {
  log[isUnavailableError(error) ? 'debug' : level]({ error: describeError(error) }, message);
}

/** Database errors quote rows, so unknown fields are dropped. */
export function describeError(error: unknown) {
  if (!(error instanceof Error))
    return { name: 'NotAnError', message: withoutPersonalData(String(error)) };
  const code = 'code' in error && typeof error.code === 'string' ? { error_code: error.code } : {};
  const frames = error.stack?.split('\n').filter((line) => /^\s*at (?!.*\bwasm\b)/.test(line));
  return {
    name: error.name,
    message: withoutPersonalData(error.message),
    ...code,
    ...(frames && { stack: frames.join('\n') }),
  };
}

/** Several lines for a terminal, without the statement and its parameters. */
export function explainFault(error: unknown): string {
  const { name, message, stack = '' } = { stack: undefined, ...describeError(error) };
  return [`${name}: ${message}`, stack].filter(Boolean).join('\n');
}

function withoutPersonalData(text: string): string {
  // An address begins with a word: a search from each letter of one would take quadratic time.
  return text
    .replace(/(?<![^\s"'(<=])[^\s"'(<=]+@[^\s"')>,]+/g, '[address]')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '[id]')
    .replace(/\b(?=[0-9A-Z]*\d)[0-9A-HJKMNP-TV-Z]{10}\b/gi, '[code]');
}
