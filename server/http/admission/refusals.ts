import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SecurityHeaders } from '../security-headers.ts';
import { UNTRANSFORMED } from '../send-page.ts';

export type Refusal = {
  readonly status: 429 | 503;
  readonly detail: string;
  readonly retryAfterSeconds: number;
};

export const FULL: Refusal = {
  status: 503,
  detail: 'Too many people are here at once. Please try again in a moment.',
  retryAfterSeconds: 2,
};

export function tooManyFromHere(retryAfterSeconds: number): Refusal {
  return {
    status: 429,
    detail: 'Too many requests from here. Please wait a little and try again.',
    retryAfterSeconds,
  };
}

export const REFUSAL_STYLE =
  '<style>:root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;' +
  'max-width:30rem;margin:30vh auto 0;padding:0 1.5rem}</style>';

export function sendRefusal(
  { url = '', headers: { accept } }: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  { standing, isClosing }: { standing: SecurityHeaders; isClosing: boolean },
): void {
  const isPage = !/^\/(api|operator)\//.test(url) && accept?.includes('text/html') === true;
  const { detail } = refusal;
  const body = isPage ? pageOf(refusal) : JSON.stringify({ detail });
  response.writeHead(refusal.status, {
    ...standing,
    'content-type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
    'content-length': body.length,
    'cache-control': `no-store${isPage ? UNTRANSFORMED : ''}`,
    'x-robots-tag': 'noindex',
    'retry-after': String(refusal.retryAfterSeconds),
    ...(isClosing && { connection: 'close' }),
  });
  response.end(body);
}

export function rawRefusal(refusal: Refusal): string {
  return rawAnswer(
    refusal.status === 429 ? '429 Too Many Requests' : '503 Service Unavailable',
    refusal.detail,
    `retry-after: ${refusal.retryAfterSeconds}\r\n`,
  );
}

export function rawAnswer(status: string, detail: string, moreHeaders = ''): string {
  const body = JSON.stringify({ detail });
  return (
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\n` +
    `content-length: ${body.length}\r\ncache-control: no-store\r\n${moreHeaders}` +
    `x-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`
  );
}

function pageOf({ detail }: Refusal): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width"><title>One moment</title>' +
    `${REFUSAL_STYLE}</head><body><h1>One moment</h1><p>${detail}</p></body></html>`
  );
}
