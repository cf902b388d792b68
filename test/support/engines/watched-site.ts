/** The built site behind a proxy of the test, which counts requests. */

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openOwnSite } from '../own-site.ts';

export type WatchedSite = {
  readonly url: string;
  /** Signs the links of its mails. */
  readonly secretKey: string;
  /** Number of requests for the path since the last `forget`. */
  countOf(path: string): number;
  forget(): void;
  /** Answers this path with this JSON from now on. */
  answer(path: string, body: unknown): void;
  close(): Promise<void>;
};

const SECRET_KEY = 'the secret key of the tests in every engine';

export async function openWatchedSite(): Promise<WatchedSite> {
  let asked: string[] = [];
  const answers = new Map<string, string>();
  let serverUrl = '';

  function passOn(given: IncomingMessage, answer: ServerResponse): void {
    const path = given.url ?? '/';
    asked.push(path);
    const prepared = answers.get(path);
    if (prepared !== undefined) {
      answer.setHeader('content-type', 'application/json').end(prepared);
      return;
    }
    const { method, headers } = given;
    const onward = request(serverUrl + path, { method, headers }, (received) => {
      answer.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    given.pipe(onward);
  }

  const proxy = createServer(passOn).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const site = await openOwnSite({ PUBLIC_URL: url, LIMITS: 'off', SECRET_KEY });
  serverUrl = site.url;
  return {
    url,
    secretKey: SECRET_KEY,
    countOf: (path) => asked.filter((one) => one === path).length,
    forget() {
      asked = [];
    },
    answer: (path, body) => answers.set(path, JSON.stringify(body)),
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await site.close();
    },
  };
}
