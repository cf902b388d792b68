/** What only real sockets show: slow and malformed requests, and graceful shutdown. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer } from '../../server/http/create-server.ts';
import type { HttpServer } from '../../server/http/http-server.ts';

const REQUEST_TIMEOUT_MS = 300;

let server: HttpServer | undefined;
afterEach(async () => {
  await server?.close();
});

async function open(): Promise<{ server: HttpServer; port: number; finish: () => void }> {
  const opened = createHttpServer({
    config: { trustProxy: [] },
    log: false,
    headers: {},
    sendNotFound: (_request, reply) => reply.code(404).send(),
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });
  server = opened;
  const { promise, resolve } = Promise.withResolvers<void>();
  opened.post('/echo', async (request) => request.body);
  opened.get('/slow', async () => {
    await promise;
    return { isDone: true };
  });
  await opened.listen({ host: '127.0.0.1', port: 0 });
  return { server: opened, port: (opened.server.address() as AddressInfo).port, finish: resolve };
}

function send(port: number, text: string): { socket: Socket; received: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.write(text);
  const received = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)));
  return { socket, received };
}

test.each([
  ['header', 'GET /slow HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  [
    'body',
    'POST /echo HTTP/1.1\r\nHost: a\r\n' +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"',
  ],
])('a %s that never ends is answered 408 and closed', async (_name, text) => {
  const { port } = await open();
  const answer = await send(port, text).received;
  expect(answer).toContain('408 Request Timeout');
  expect(answer).toContain('{"detail":"The request took too long to arrive."}');
});

test('a connection that is never used is closed without an answer', async () => {
  const { port } = await open();
  expect(await send(port, '').received).toBe('');
});

test('a request that arrived before a busy server looked is answered', async () => {
  const { server, port } = await open();
  const accepted = once(server.server, 'connection');
  const { socket, received } = send(port, '');
  await accepted;
  socket.write('GET /unknown HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const busyUntil = performance.now() + 2 * REQUEST_TIMEOUT_MS;
  while (performance.now() < busyUntil);
  expect(await received).toMatch(/^HTTP\/1.1 404 /);
});

test.each([
  ['a request that is not HTTP', 'NONSENSE\r\n\r\n', '400 Bad Request'],
  [
    'a request with two lengths',
    'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    '400 Bad Request',
  ],
  [
    'a request with a huge header',
    `GET /slow HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields',
  ],
])('%s is answered and closed', async (_name, text, status) => {
  const { port } = await open();
  const answer = await send(port, text).received;
  expect(answer).toContain(status);
  expect(JSON.parse(answer.slice(answer.indexOf('{'))).detail).toMatch(/[.]$/);
});

test('shutting down answers accepted requests, refuses new ones, closes idle sockets', async () => {
  const { server: stopping, port, finish } = await open();
  const idle = send(port, '');
  await once(idle.socket, 'connect');
  const accepted = send(
    port,
    'GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /slow HTTP/1.1\r\nHost: a\r\n\r\n',
  );
  await expect.poll(() => countConnections(stopping), { timeout: 30_000 }).toBe(2);
  const isClosed = stopping.close();
  await expect.poll(() => stopping.server.listening, { timeout: 30_000 }).toBe(false);
  finish();
  const answer = await accepted.received;
  expect(answer).toContain('{"isDone":true}');
  await isClosed;
  await idle.received;
  const late = send(port, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await late.received).toBe('');
});

function countConnections({ server }: HttpServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
