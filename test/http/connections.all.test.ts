/**
 * What only real sockets show: overload, slow and malformed requests, graceful shutdown, and one
 * address that takes all it can get, while others are served and an office still fits.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Admission, addAdmission } from '../../server/http/admission/admission.ts';
import { MAX_CONNECTIONS_PER_ADDRESS } from '../../server/http/admission/connections.ts';
import { MAX_PER_ADDRESS } from '../../server/http/admission/fair-shares.ts';
import { createHttpServer } from '../../server/http/create-server.ts';
import type { HttpServer } from '../../server/http/http-server.ts';

const STANDING = { 'x-content-type-options': 'nosniff' };
const FULL = 1024;
const RESERVED = 64;
const REQUEST_TIMEOUT_MS = 300;
/** An address that some tests trust as a proxy. The others of this machine are visitors. */
const PROXY = '127.0.0.1';
const GREEDY = '127.0.0.2';
const OTHER = '127.0.0.3';
/** 200 people, each with six connections. */
const OFFICE = 1_200;

let server: HttpServer;
let admission: Admission;
let port: number;
let begun: number;
/** Requests to slow paths wait for it. */
let gate: PromiseWithResolvers<void>;
const finish = () => gate.resolve();
const sockets: Socket[] = [];
afterEach(async () => {
  finish();
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

type Limits = { maxConnections?: number; isLimiting?: boolean; now?: () => number };

/** There is no admission without limits. */
async function listen(
  { trustProxy = [], ...settings }: { trustProxy?: string[]; requestTimeoutMs?: number },
  limits: Limits | null,
) {
  server = createHttpServer({
    config: { trustProxy },
    log: false,
    headers: STANDING,
    sendNotFound: (_request, reply) => reply.code(404).send(),
    ...settings,
  });
  begun = 0;
  if (limits !== null) {
    const { isLimiting = true, ...more } = limits;
    const config = { trustProxy, isLimiting };
    admission = addAdmission(server, { config, headers: STANDING, ...more });
    server.addHook('onRequest', async () => {
      begun += 1;
    });
  }
  gate = Promise.withResolvers();
  for (const path of ['/slow', '/operator/slow'])
    server.get(path, async () => {
      await gate.promise;
      return { isDone: true };
    });
  server.post('/api/echo', async (request) => request.body);
  server.get('/', async (request) => request.ip);
  server.get('/healthz', async () => 'ok');
  await server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  port = (server.server.address() as AddressInfo).port;
}

/** A connection that remembers what it got. */
class Visitor {
  received = '';
  isClosed = false;
  readonly socket: Socket;
  readonly closed: Promise<void>;

  constructor(address?: string) {
    this.socket = connect({
      port,
      host: '127.0.0.1',
      ...(address !== undefined && { localAddress: address }),
    }).setEncoding('latin1');
    sockets.push(this.socket);
    this.socket.on('data', (text) => {
      this.received += text;
    });
    this.socket.on('error', () => undefined);
    this.closed = new Promise<void>((resolve) =>
      this.socket.on('close', () => {
        this.isClosed = true;
        resolve();
      }),
    );
  }

  send(text: string): this {
    this.socket.write(text);
    return this;
  }

  ask(path = '/', forwardedFor?: string): this {
    const forwarded = forwardedFor === undefined ? '' : `X-Forwarded-For: ${forwardedFor}\r\n`;
    return this.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n${forwarded}\r\n`);
  }

  /** Everything that comes until the connection is closed. */
  async untilClosed(): Promise<string> {
    await this.closed;
    return this.received;
  }

  statuses = () => [...this.received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
}

const many = (count: number, address: string) =>
  Array.from({ length: count }, () => new Visitor(address));
const askedBy = (address: string, path?: string) => new Visitor(address).ask(path);
const countOf = (visitors: readonly Visitor[], status: string) =>
  visitors.filter((visitor) => visitor.statuses().includes(status)).length;
const openCount = () =>
  new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));

describe('more requests than can be served', () => {
  let url: string;
  beforeEach(async () => {
    await listen({}, {});
    url = `http://127.0.0.1:${port}`;
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
    const visitor = new Visitor().send(requests.join(''));
    await expect.poll(visitor.statuses).toEqual(['503', '503']);
    finish();
    await expect.poll(admission.underWay, { timeout: 30_000 }).toBe(0);
    visitor.send(requests.join(''));
    await expect.poll(visitor.statuses).toEqual(['503', '503', '200', '200']);
    await expect.poll(() => visitor.received).toMatch(/\r\n\r\nfirst.*\r\n\r\nsecond$/s);
  });

  test('a refusal by a stopping server closes the connection', async () => {
    await fill();
    const request = 'GET /api/echo HTTP/1.1\r\nHost: a\r\n\r\n';
    const visitor = new Visitor().send(request);
    await expect.poll(visitor.statuses).toEqual(['503']);
    const before = visitor.received.length;
    const isClosed = server.close();
    await expect.poll(() => server.server.listening).toBe(false);
    visitor.send(request);
    const later = () => visitor.received.slice(before).toLowerCase();
    await expect.poll(later).toContain('\r\nconnection: close\r\n');
    finish();
    await isClosed;
  });
});

describe('connections', () => {
  const GET = 'GET /slow HTTP/1.1\r\nHost: a\r\n';
  const POST = 'POST /api/echo HTTP/1.1\r\nHost: a\r\n';
  beforeEach(() => listen({ requestTimeoutMs: REQUEST_TIMEOUT_MS }, null));

  test.each([
    ['a header that never ends', `${GET}X-Slow: `, '408 Request Timeout'],
    [
      'a body that never ends',
      `${POST}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a"`,
      '408 Request Timeout',
    ],
    ['a huge header', `${GET}X: ${'a'.repeat(20_000)}\r\n\r\n`, '431 Request Header Fields'],
  ])('%s is answered and closed', async (_name, text, status) => {
    const answer = await new Visitor().send(text).untilClosed();
    expect(answer).toContain(status);
    expect(JSON.parse(answer.slice(answer.indexOf('{'))).detail).toMatch(/[.]$/);
  });

  test('a connection that is never used is closed without an answer', async () => {
    expect(await new Visitor().untilClosed()).toBe('');
  });

  test('a request that arrived before a busy server looked is answered', async () => {
    const accepted = once(server.server, 'connection');
    const visitor = new Visitor();
    await accepted;
    visitor.send('GET /unknown HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const busyUntil = performance.now() + 2 * REQUEST_TIMEOUT_MS;
    while (performance.now() < busyUntil);
    expect(await visitor.untilClosed()).toMatch(/^HTTP\/1.1 404 /);
  });

  test('shutting down answers accepted requests, and refuses new ones', async () => {
    const idle = new Visitor();
    await once(idle.socket, 'connect');
    const accepted = new Visitor().send(`${GET}\r\n${GET}\r\n`);
    await expect.poll(openCount, { timeout: 30_000 }).toBe(2);
    const isClosed = server.close();
    await expect.poll(() => server.server.listening, { timeout: 30_000 }).toBe(false);
    finish();
    expect(await accepted.untilClosed()).toContain('{"isDone":true}');
    await isClosed;
    await idle.closed;
    expect(await new Visitor().send(`${GET}\r\n`).untilClosed()).toBe('');
  });
});

describe('one address', () => {
  const open = (limits: Limits) => listen({ trustProxy: [PROXY] }, limits);

  test.each([
    ['directly', GREEDY, OTHER, undefined, undefined],
    ['behind a proxy', PROXY, PROXY, '198.51.100.1', '198.51.100.2'],
  ])(
    '%s, an office of 200 with six connections each is served, and others beside it at once',
    async (_name, officePeer, otherPeer, officeAddress, otherAddress) => {
      await open({});
      const office = many(OFFICE, officePeer).map((visitor) => visitor.ask('/slow', officeAddress));
      await expect.poll(admission.underWay).toBe(MAX_PER_ADDRESS);
      const other = new Visitor(otherPeer).ask('/', otherAddress);
      await expect.poll(other.statuses).toEqual(['200']);
      expect(other.received).toContain(`\r\n\r\n${otherAddress ?? OTHER}`);
      finish();
      await expect.poll(() => countOf(office, '200')).toBe(OFFICE);
      expect([admission.refused(), admission.limited()]).toEqual([0, 0]);
    },
  );

  test('requests that wait for their turn and hang up leave no place taken', async () => {
    await open({});
    for (let round = 0; round < 3; round++) {
      const gone = many(400, GREEDY).map((visitor) => visitor.ask('/slow').ask('/slow'));
      await expect.poll(admission.underWay).toBe(MAX_PER_ADDRESS);
      for (const { socket } of gone) socket.resetAndDestroy();
      await expect.poll(openCount).toBe(0);
      // What has begun goes on, and keeps its address's share.
      expect(admission.underWay()).toBe(MAX_PER_ADDRESS);
      finish();
      await expect.poll(admission.underWay).toBe(0);
      gate = Promise.withResolvers();
    }
    const after = many(MAX_PER_ADDRESS, GREEDY).map((visitor) => visitor.ask('/'));
    await expect.poll(() => countOf(after, '200')).toBe(MAX_PER_ADDRESS);
  });

  test('connections of an address are limited: idle ones make room, busy ones do not', async () => {
    await open({});
    const idle = many(MAX_CONNECTIONS_PER_ADDRESS, GREEDY);
    await expect.poll(openCount).toBe(MAX_CONNECTIONS_PER_ADDRESS);
    const [longestIdle] = idle;
    await expect.poll(askedBy(GREEDY).statuses).toEqual(['200']);
    await expect.poll(() => longestIdle?.isClosed).toBe(true);
    await expect.poll(openCount).toBe(MAX_CONNECTIONS_PER_ADDRESS);

    const busy = many(MAX_CONNECTIONS_PER_ADDRESS, GREEDY).map((visitor) => visitor.ask('/slow'));
    await expect.poll(() => idle.every(({ isClosed }) => isClosed)).toBe(true);
    await expect.poll(admission.underWay).toBe(MAX_PER_ADDRESS);
    const refused = new Visitor(GREEDY);
    await expect.poll(() => refused.isClosed).toBe(true);
    expect(refused.received).toMatch(
      /^HTTP\/1\.1 429 .*\r\nretry-after: 2\r\n.*"detail":".*[.]"\}$/s,
    );
    expect(admission.limited()).toBe(1);
    await expect.poll(askedBy(OTHER).statuses).toEqual(['200']);
    expect(busy.filter(({ isClosed }) => isClosed)).toEqual([]);
  });

  test('a full server closes the longest idle connection, limits or not', async () => {
    await open({ maxConnections: 20, isLimiting: false });
    const kept = many(20, GREEDY).map((visitor) => visitor.ask());
    await expect.poll(() => countOf(kept, '200')).toBe(20);
    const [first] = kept;
    first?.ask();
    await expect.poll(() => first?.statuses()).toEqual(['200', '200']);
    for (let count = 1; count <= 10; count++)
      await expect.poll(askedBy(OTHER).statuses).toEqual(['200']);
    await expect.poll(() => kept.filter(({ isClosed }) => isClosed).length).toBe(10);
    expect(first?.isClosed).toBe(false);
  });

  test('a server with only busy connections answers new ones 503 with Retry-After', async () => {
    await open({ maxConnections: 20 });
    const busy = many(20, GREEDY).map((visitor) => visitor.ask('/slow'));
    await expect.poll(admission.underWay).toBe(20);
    for (const newcomer of [new Visitor(OTHER), askedBy(OTHER)]) {
      await expect.poll(() => newcomer.isClosed).toBe(true);
      const [head = '', body] = newcomer.received.split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 2\r\n.*\r\nconnection: close$/s);
      expect(body).toMatch(/^\{"detail":".*[.]"\}$/s);
    }
    expect(admission.refused()).toBe(2);
    finish();
    await expect.poll(() => countOf(busy, '200')).toBe(20);
    await expect.poll(askedBy(OTHER).statuses).toEqual(['200']);
  });

  test('an address that keeps asking is told when to return, and others are served', async () => {
    // The clock stands still, however long a busy machine takes to send the requests.
    await open({ now: () => 0 });
    const greedy = many(100, GREEDY).map((visitor) => visitor.ask());
    for (const visitor of greedy)
      visitor.socket.on('data', () => {
        if (countOf([visitor], '429') > 0) return;
        visitor.received = '';
        visitor.ask();
      });
    await expect.poll(() => countOf(greedy, '429'), { timeout: 60_000 }).toBeGreaterThan(0);
    const told = greedy.find((visitor) => visitor.statuses().includes('429'));
    expect(told?.received).toMatch(/\r\nretry-after: ([1-9]|10)\r\n.*"detail":".*[.]"\}$/s);
    await expect.poll(askedBy(OTHER).statuses).toEqual(['200']);
    expect(admission.limited()).toBeGreaterThan(0);
    expect(told?.isClosed).toBe(false);
  });
});
