/** The log: one line a request with the route's pattern, never its URL, so that no address, id or code is written down. */
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import type { HttpServer } from './http-server.ts';

const PERSONAL_KEYS = [
  'email',
  'address',
  'id',
  'memberId',
  'code',
  'referral_code',
  'referred_by',
  'to',
  'authorization',
];

/** The process's logger. Personal fields are removed even when a line is given one by mistake. */
export function openLog({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: logLevel,
    redact: { paths: PERSONAL_KEYS.flatMap((key) => [key, `*.${key}`]), censor: '[removed]' },
  });
}

export function addRequestLog(server: HttpServer): void {
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    );
    done();
  });
}

/** An error as it may stand in the log. Database errors quote the row they failed on, so only known parts are taken. */
export function describeError(error: unknown): { name: string; message: string; error_code?: string; stack?: string } {
  if (!(error instanceof Error)) return { name: 'NotAnError', message: withoutPersonalData(String(error)) };
  const code = 'code' in error && typeof error.code === 'string' ? { error_code: error.code } : {};
  const frames = error.stack?.split('\n').filter((line) => line.trimStart().startsWith('at '));
  return {
    name: error.name,
    message: withoutPersonalData(error.message),
    ...code,
    ...(frames && { stack: frames.join('\n') }),
  };
}

function withoutPersonalData(text: string): string {
  return text
    .replace(/[^\s"'(<=]+@[^\s"')>,]+/g, '[address]')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '[id]')
    .replace(/\b(?=[0-9A-Z]*\d)[0-9A-HJKMNP-TV-Z]{10}\b/gi, '[code]');
}
