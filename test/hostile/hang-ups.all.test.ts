/** Clients that hang up at once: nothing fails, each is counted, and the log stays quiet. */

import { type AddressInfo, connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { apiPaths } from '../../contract/paths.ts';
import { JOINS_PER_IP } from '../../server/guard/limits/limit-rules.ts';
import { provideApp } from '../http/provide-app.ts';
import { MEDIA_PATH } from '../http/test-site.ts';
import { captureLog } from '../support/captured-log.ts';

const MANY = 300;
const PROXY = '127.0.0.1';

let port: number;
const log = captureLog('info');
const app = provideApp('postgres', { isLimiting: true, trustProxy: [PROXY] }, log.logger);
/** Connections that clients opened, and that the server took from the system. */
const connections = { opened: 0, accepted: 0 };
beforeAll(async () => {
  await app.fastify.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  app.fastify.server.on('connection', () => {
    connections.accepted += 1;
  });
  port = (app.fastify.server.address() as AddressInfo).port;
});

type HangUp = {
  /** Address of the visitor, as the proxy says. */
  readonly address: string;
  readonly email: string;
  /** Asks for this path instead of joining. */
  readonly path?: string;
  /** Bytes of the body that never come. */
  readonly missing?: number;
  readonly isReset?: boolean;
};

function askAndHangUp(hangUp: HangUp): Promise<void> {
  const { address, email, path, missing = 0, isReset = false } = hangUp;
  const body = JSON.stringify({ email });
  const request =
    path === undefined
      ? `POST ${apiPaths.join} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
        `X-Forwarded-For: ${address}\r\nContent-Length: ${body.length + missing}\r\n\r\n${body}`
      : `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n\r\n`;
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: PROXY }, () => {
      connections.opened += 1;
      socket.write(request, () => (isReset ? socket.resetAndDestroy() : socket.destroy()));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}

/** Waits until the server is done with all of them. */
async function settle(): Promise<void> {
  await expect.poll(() => connections.accepted).toBe(connections.opened);
  const countOpen = () =>
    new Promise<number>((resolve) =>
      app.fastify.server.getConnections((_error, count) => resolve(count)),
    );
  await expect.poll(countOpen).toBe(0);
}

test.each([
  ['a complete join', { missing: 0, isReset: false }],
  ['a complete join, with a reset', { missing: 0, isReset: true }],
  ['half a join', { missing: 100, isReset: false }],
  ['half a join, with a reset', { missing: 100, isReset: true }],
  ['asking for a file', { path: MEDIA_PATH, isReset: false }],
  ['asking for a file, with a reset', { path: MEDIA_PATH, isReset: true }],
])(
  `${MANY} clients that hang up after %s cause no failure, warning or crowd of log lines`,
  async (name, how) => {
    const address = `198.51.100.${name.length}`;
    await Promise.all(
      Array.from({ length: MANY }, (_, index) =>
        askAndHangUp({ address, email: `${name.length}-${index}@example.com`, ...how }),
      ),
    );
    await settle();
    // A request that is being answered may still write to the log.
    await app.fastify.inject('/api/waitlist/stats');
    const lines = log
      .text()
      .split('\n')
      .filter((line) => line !== '');
    expect(lines.filter((line) => !line.includes('"level":30'))).toEqual([]);
    expect(lines.filter((line) => line.includes('hung up')).length).toBeLessThanOrEqual(1);
  },
);

test('joins whose senders hang up count towards the limit of their address', async () => {
  const address = '198.51.100.200';
  async function isLimited(): Promise<boolean> {
    const { statusCode } = await app.fastify.inject({
      method: 'POST',
      url: apiPaths.join,
      payload: { email: 'asks@example.com' },
      remoteAddress: address,
    });
    return statusCode === 428 || statusCode === 429;
  }
  expect(await isLimited()).toBe(false);
  for (let sent = 0; sent < JOINS_PER_IP.max; sent++)
    await askAndHangUp({ address, email: `gone${sent}@example.com` });
  await settle();
  expect(await isLimited()).toBe(true);
});
