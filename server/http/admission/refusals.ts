/** Answers made once and sent as often as it takes: to refuse must cost next to nothing. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SecurityHeaders } from '../security-headers.ts';

type Refusal = { readonly detail: string; readonly retryAfterSeconds: number };
/** Text, because Node sends head and body in one write only when both are. */
type Answer = { readonly headers: string[]; readonly body: string };

/** What is still read of a body that has not arrived whole: who is cut off while sending often never sees the answer. */
const MOST_DRAINED_BYTES = 256 * 1024;

/** Its hash belongs into the content security policy. */
export const REFUSAL_STYLE =
  '<style>:root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:30rem;margin:30vh auto 0;padding:0 1.5rem}</style>';

/** Sends a 503 before anything else is done with the request: a page to a browser, JSON to the rest. */
export function openRefusal(refusal: Refusal, standing: SecurityHeaders) {
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
    return { headers: Object.entries(headers).flat(), body };
  };
  const called = answerWith('application/json', json, true);
  const calledApi = answerWith('application/json', json, false);
  const browsed = answerWith('text/html', pageOf(refusal.detail), false);

  return (request: IncomingMessage, response: ServerResponse): void => {
    if (!request.complete) drain(request);
    const { headers, body } = answerFor(request);
    response.writeHead(503, headers);
    response.end(body);
  };

  // The headers of a request are an object only once they are asked for: those of the API never are.
  function answerFor(request: IncomingMessage): Answer {
    const { url = '' } = request;
    if (url.startsWith('/api/')) return calledApi;
    return request.headers.accept?.includes('text/html') && !url.startsWith('/operator/') ? browsed : called;
  }
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
