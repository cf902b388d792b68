/** The least that a page could be, for comparison: an empty one, and the landing page's HTML, styles and faces without any script. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { brotliCompressSync } from 'node:zlib';
import { freePort } from '../test/support/server-process.ts';

const EMPTY =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<meta name="description" content="An empty page"><title>Empty</title></head><body><h1>Empty</h1></body></html>';

export const floorPaths = { empty: '/empty', withoutScript: '/landing-without-script' };

/** Serves the floors, and for them the files of the site at `siteUrl`. */
export async function startFloor(siteUrl: string): Promise<{ url: string; stop(): void }> {
  const landing = await (await fetch(siteUrl)).text();
  const pages = new Map([
    [floorPaths.empty, brotliCompressSync(EMPTY)],
    [floorPaths.withoutScript, brotliCompressSync(withoutScript(landing))],
  ]);
  const port = await freePort();
  const server = createServer(async ({ url = '/' }, response) => {
    const page = pages.get(url);
    if (page === undefined) return passOn(siteUrl + url, response);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' }).end(page);
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

function withoutScript(html: string): string {
  return html.replace(/<script\b[\s\S]*?<\/script>/g, '').replace(/<link\b[^>]*rel="modulepreload"[^>]*>/g, '');
}

async function passOn(url: string, response: ServerResponse): Promise<void> {
  const answer = await fetch(url);
  const headers = Object.fromEntries(
    ['content-type', 'cache-control'].map((name) => [name, answer.headers.get(name) ?? '']),
  );
  response.writeHead(answer.status, headers);
  if (answer.body === null) response.end();
  else Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]).pipe(response);
}
