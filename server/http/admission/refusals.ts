/** Answers made once and sent as often as it takes: to refuse must cost next to nothing. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SecurityHeaders } from '../security-headers.ts';
import type { RawRequest } from './raw-request-rules.ts';

type Refusal = { readonly detail: string; readonly retryAfterSeconds: number };
/** Text, because Node sends head and body in one write only when both are. */
type Answer = { readonly headers: string[]; readonly body: string; readonly bytes: Buffer };

export type Refusals = {
  /** Sends a 503 before anything else is done with the request. */
  send(request: IncomingMessage, response: ServerResponse): void;
  /** All of the same answer, for a connection that stays open. */
  bytesFor(request: RawRequest): Buffer;
};

/** What is still read of a body that has not arrived whole: who is cut off while sending often never sees the answer. */
const MOST_DRAINED_BYTES = 256 * 1024;

/** Its hash belongs into the content security policy. */
export const REFUSAL_STYLE =
  '<style>:root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:30rem;margin:30vh auto 0;padding:0 1.5rem}</style>';

/** A page to a browser, JSON to the rest. */
export function openRefusals(refusal: Refusal, standing: SecurityHeaders): Refusals {
  const json = JSON.stringify({ detail: refusal.detail });
  const answerWith = (type: string, body: string, isIndexed: boolean): Answer => {
    const headers = {
      ...standing,
      'content-type': `${type}; charset=utf-8`,
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'retry-after': String(refusal.retryAfterSeconds),
      ...(!isIndexed && { 'x-robots-tag': 'noindex' }),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const bytes = Buffer.from(`HTTP/1.1 503 Service Unavailable\r\n${lines.join('')}\r\n${body}`);
    return { headers: Object.entries(headers).flat(), body, bytes };
  };
  const called = answerWith('application/json', json, true);
  const calledApi = answerWith('application/json', json, false);
  const browsed = answerWith('text/html', pageOf(refusal.detail), false);

  // The headers of a request are an object only once they are asked for: those of the API never are.
  const wantsPage = (request: IncomingMessage) => request.headers.accept?.includes('text/html') === true;

  function answerFor(url: string, isPageWanted: () => boolean): Answer {
    if (url.startsWith('/api/')) return calledApi;
    return !url.startsWith('/operator/') && isPageWanted() ? browsed : called;
  }

  return {
    send(request, response) {
      if (!request.complete) drain(request);
      const { headers, body } = answerFor(request.url ?? '', () => wantsPage(request));
      response.writeHead(503, headers);
      response.end(body);
    },
    bytesFor: (request) => answerFor(request.url, () => request.wantsPage).bytes,
  };
}

function drain(request: IncomingMessage): void {
  let left = MOST_DRAINED_BYTES;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
}

function pageOf(detail: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>One moment</title>${REFUSAL_STYLE}</head><body><h1>One moment</h1><p>${detail}</p></body></html>`
  );
}
