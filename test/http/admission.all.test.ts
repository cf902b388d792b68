/** More requests than can be served, on real sockets. */
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Admission, addAdmission } from '../../server/http/admission/admission.ts';
import { createHttpServer } from '../../server/http/create-server.ts';
import type { HttpServer } from '../../server/http/http-server.ts';

const STANDING = { 'x-content-type-options': 'nosniff' };
const FULL = 1024;
const RESERVED = 64;

let server: HttpServer;
let admission: Admission;
let url: string;
let finish: () => void;
let begun: number;
beforeEach(async () => {
  server = createHttpServer({
    config: { trustProxy: [] },
    log: false,
    headers: STANDING,
    sendNotFound: (_request, reply) => reply.code(404).send(),
  });
  admission = addAdmission(server, {
    config: { trustProxy: [], isLimiting: true },
    headers: STANDING,
  });
  begun = 0;
  server.addHook('onRequest', async () => {
    begun += 1;
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  finish = resolve;
  server.get('/slow', async () => {
    await promise;
    return 'done';
  });
  server.get('/operator/slow', async () => {
    await promise;
    return 'done';
  });
  server.post('/api/echo', async (request) => request.body);
  server.get('/', async () => 'page');
  server.get('/healthz', async () => 'ok');
  await server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
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

test('requests over the limit are told when to retry, and admitted ones are answered', async () => {
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
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
  let received = '';
  socket.on('data', (text) => {
    received += text;
  });
  const requests = ['first', 'second'].map(
    (text) =>
      'POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${text.length + 2}\r\n\r\n"${text}"`,
  );
  const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  socket.write(requests.join(''));
  await expect.poll(statuses).toEqual(['503', '503']);
  finish();
  await expect.poll(admission.underWay, { timeout: 30_000 }).toBe(0);
  socket.write(requests.join(''));
  await expect.poll(statuses).toEqual(['503', '503', '200', '200']);
  await expect.poll(() => received).toMatch(/\r\n\r\nfirst.*\r\n\r\nsecond$/s);
  socket.destroy();
});

test('a refusal by a stopping server closes the connection', async () => {
  await fill();
  const keptOpen = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
  let received = '';
  keptOpen.on('data', (text) => {
    received += text;
  });
  const ask = () => keptOpen.write('GET /api/echo HTTP/1.1\r\nHost: a\r\n\r\n');
  ask();
  await expect.poll(() => received).toContain(' 503 ');
  const isClosed = server.close();
  await expect.poll(() => server.server.listening).toBe(false);
  received = '';
  ask();
  await expect.poll(() => received.toLowerCase()).toContain('\r\nconnection: close\r\n');
  finish();
  await isClosed;
});
