/** What only real sockets show: overload, slow and malformed requests, and graceful shutdown. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Admission, addAdmission } from '../../server/http/admission/admission.ts';
import { createHttpServer } from '../../server/http/create-server.ts';
import type { HttpServer } from '../../server/http/http-server.ts';

const STANDING = { 'x-content-type-options': 'nosniff' };
const FULL = 1024;
const RESERVED = 64;
const REQUEST_TIMEOUT_MS = 300;

let server: HttpServer;
let port: number;
let finish: () => void;

async function listen(settings: { readonly requestTimeoutMs?: number }, prepare = () => {}) {
  server = createHttpServer({
    config: { trustProxy: [] },
    log: false,
    headers: STANDING,
    sendNotFound: (_request, reply) => reply.code(404).send(),
    ...settings,
  });
  prepare();
  const { promise, resolve } = Promise.withResolvers<void>();
  finish = resolve;
  for (const path of ['/slow', '/operator/slow'])
    server.get(path, async () => {
      await promise;
      return { isDone: true };
    });
  server.post('/api/echo', async (request) => request.body);
  server.get('/', async () => 'page');
  server.get('/healthz', async () => 'ok');
  await server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  port = (server.server.address() as AddressInfo).port;
}

/** Sends the text at once; `received` is all until the socket is closed. */
function send(text: string): { socket: Socket; soFar: () => string; received: Promise<string> } {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.write(text);
  const received = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)));
  return { socket, soFar: () => answer, received };
}

describe('more requests than can be served', () => {
  let admission: Admission;
  let url: string;
  let begun: number;
  beforeEach(async () => {
    begun = 0;
    await listen({}, () => {
      admission = addAdmission(server, {
        config: { trustProxy: [], isLimiting: true },
        headers: STANDING,
      });
      server.addHook('onRequest', async () => {
        begun += 1;
      });
    });
    url = `http://127.0.0.1:${port}`;
  });
  afterEach(async () => {
    finish();
    await server.close();
  });

  async function fill(): Promise<Promise<Response>[]> {
    const answers = Array.from({ length: FULL }, () => fetch(`${url}/slow`));
    await expect.poll(admission.underWay, { timeout: 30_000 }).toBe(FULL);
    return answers;
  }

  function postTo(path: string, body: BodyInit): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return fetch(url + path, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  }

  test('requests over the limit are told when to retry, others are answered', async () => {
    const answers = await fill();
    const called = await postTo('/api/echo', '{}');
    expect(called.status).toBe(503);
    expect(Object.fromEntries(called.headers)).toMatchObject({
      ...STANDING,
      'retry-after': '2',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(await called.json()).toEqual({
      detail: 'Too many people are here at once. Please try again in a moment.',
    });
    const browsed = await fetch(url, { headers: { accept: 'text/html' } });
    expect([browsed.status, browsed.headers.get('retry-after')]).toEqual([503, '2']);
    expect(browsed.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(browsed.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(await browsed.text()).toContain('Please try again in a moment.');
    expect(await (await fetch(url, { method: 'HEAD' })).text()).toBe('');
    expect(admission.refused()).toBe(3);
    finish();
    expect((await Promise.all(answers)).filter(({ status }) => status !== 200)).toEqual([]);
    expect(admission.underWay()).toBe(0);
    expect((await fetch(url)).status).toBe(200);
  });

  test('a full server still answers health checks and the operator, within bounds', async () => {
    await fill();
    expect(await (await fetch(`${url}/healthz`)).text()).toBe('ok');
    for (const path of ['/api/healthz', '/?/healthz', '/healthz-not', '/readyz/../slow'])
      expect((await fetch(url + path)).status).toBe(503);
    const reserved = Array.from({ length: RESERVED }, () => fetch(`${url}/operator/slow`));
    await expect.poll(admission.underWay, { timeout: 30_000 }).toBe(FULL + RESERVED);
    expect((await fetch(`${url}/healthz`)).status).toBe(503);
    finish();
    expect((await Promise.all(reserved)).every(({ ok }) => ok)).toBe(true);
  });

  test('a refused client that is still sending can read the answer', async () => {
    await fill();
    const answer = await postTo('/api/echo', JSON.stringify({ text: 'x'.repeat(100_000) }));
    expect(answer.status).toBe(503);
    await answer.text();
  });

  test('a request whose body is still arriving takes no slot', async () => {
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();
    void writer.write(new TextEncoder().encode('{"a":'));
    const slow = postTo('/api/echo', body.readable);
    await expect.poll(() => begun).toBe(1);
    await fill();
    void writer.write(new TextEncoder().encode('1}'));
    await writer.close();
    expect(await (await slow).json()).toEqual({ a: 1 });
  });

  test('a client that disconnects before the answer leaves no slot taken', async () => {
    const controller = new AbortController();
    const gone = fetch(`${url}/slow`, { signal: controller.signal });
    await expect.poll(admission.underWay).toBe(1);
    controller.abort();
    await expect(gone).rejects.toThrow();
    finish();
    await expect.poll(admission.underWay).toBe(0);
  });

  test('a refused connection stays usable: pipelined requests are answered in order', async () => {
    await fill();
    const requests = ['first', 'second'].map(
      (text) =>
        'POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
        `Content-Length: ${text.length + 2}\r\n\r\n"${text}"`,
    );
    const { socket, soFar } = send(requests.join(''));
    const statuses = () => [...soFar().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    await expect.poll(statuses).toEqual(['503', '503']);
    finish();
    await expect.poll(admission.underWay, { timeout: 30_000 }).toBe(0);
    socket.write(requests.join(''));
    await expect.poll(statuses).toEqual(['503', '503', '200', '200']);
    await expect.poll(soFar).toMatch(/\r\n\r\nfirst.*\r\n\r\nsecond$/s);
    socket.destroy();
  });

  test('a refusal by a stopping server closes the connection', async () => {
    await fill();
    const request = 'GET /api/echo HTTP/1.1\r\nHost: a\r\n\r\n';
    const { socket, soFar } = send(request);
    await expect.poll(soFar).toContain(' 503 ');
    const before = soFar().length;
    const isClosed = server.close();
    await expect.poll(() => server.server.listening).toBe(false);
    socket.write(request);
    const later = () => soFar().slice(before).toLowerCase();
    await expect.poll(later).toContain('\r\nconnection: close\r\n');
    finish();
    await isClosed;
  });
});

describe('connections', () => {
  const GET = 'GET /slow HTTP/1.1\r\nHost: a\r\n';
  const POST = 'POST /api/echo HTTP/1.1\r\nHost: a\r\n';
  beforeEach(() => listen({ requestTimeoutMs: REQUEST_TIMEOUT_MS }));
  afterEach(() => server.close());

  test.each([
    ['a header that never ends', `${GET}X-Slow: `, '408 Request Timeout'],
    [
      'a body that never ends',
      `${POST}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"`,
      '408 Request Timeout',
    ],
    ['a huge header', `${GET}X: ${'a'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields'],
  ])('%s is answered and closed', async (_name, text, status) => {
    const answer = await send(text).received;
    expect(answer).toContain(status);
    expect(JSON.parse(answer.slice(answer.indexOf('{'))).detail).toMatch(/[.]$/);
  });

  test('a connection that is never used is closed without an answer', async () => {
    expect(await send('').received).toBe('');
  });

  test('a request that arrived before a busy server looked is answered', async () => {
    const accepted = once(server.server, 'connection');
    const { socket, received } = send('');
    await accepted;
    socket.write('GET /unknown HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const busyUntil = performance.now() + 2 * REQUEST_TIMEOUT_MS;
    while (performance.now() < busyUntil);
    expect(await received).toMatch(/^HTTP\/1.1 404 /);
  });

  test('shutting down answers accepted requests, and refuses new ones', async () => {
    const idle = send('');
    await once(idle.socket, 'connect');
    const accepted = send(`${GET}\r\n${GET}\r\n`);
    const countConnections = () =>
      new Promise((resolve) => server.server.getConnections((_error, count) => resolve(count)));
    await expect.poll(countConnections, { timeout: 30_000 }).toBe(2);
    const isClosed = server.close();
    await expect.poll(() => server.server.listening, { timeout: 30_000 }).toBe(false);
    finish();
    expect(await accepted.received).toContain('{"isDone":true}');
    await isClosed;
    await idle.received;
    expect(await send(`${GET}\r\n`).received).toBe('');
  });
});
