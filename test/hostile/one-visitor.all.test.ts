/** One address that takes all it can get: others are served, and an office still fits. */
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Admission, addAdmission } from '../../server/http/admission/admission.ts';
import { MAX_CONNECTIONS_PER_ADDRESS } from '../../server/http/admission/connections.ts';
import { MAX_PER_ADDRESS } from '../../server/http/admission/fair-shares.ts';
import { createHttpServer } from '../../server/http/create-server.ts';
import type { HttpServer } from '../../server/http/http-server.ts';

/** Trusted, and so no visitor. The other addresses of this machine are. */
const PROXY = '127.0.0.1';
const GREEDY = '127.0.0.2';
const OTHER = '127.0.0.3';
/** 200 people, each with six connections. */
const OFFICE = 1_200;

let server: HttpServer;
let admission: Admission;
let port: number;
/** Requests to /slow wait for it. */
let gate: PromiseWithResolvers<void>;
let sockets: Socket[] = [];
afterEach(async () => {
  gate.resolve();
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.close();
});

type Options = { maxConnections?: number; isLimiting?: boolean; now?: () => number };

async function open(options: Options = {}) {
  const { isLimiting = true, ...admitted } = options;
  const config = { trustProxy: [PROXY], isLimiting };
  server = createHttpServer({
    config,
    log: false,
    headers: {},
    sendNotFound: (_request, reply) => reply.code(404).send(),
  });
  admission = addAdmission(server, {
    config,
    headers: {},
    ...admitted,
  });
  gate = Promise.withResolvers();
  server.get('/slow', async () => {
    await gate.promise;
    return 'done';
  });
  server.get('/', async (request) => request.ip);
  await server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  port = (server.server.address() as AddressInfo).port;
}

/** A connection that remembers what it got. */
class Visitor {
  received = '';
  isClosed = false;
  readonly socket: Socket;

  constructor(address: string) {
    this.socket = connect({ port, host: '127.0.0.1', localAddress: address }).setEncoding('latin1');
    sockets.push(this.socket);
    this.socket.on('data', (text) => {
      this.received += text;
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  ask(path = '/', forwardedFor?: string): this {
    const forwarded = forwardedFor === undefined ? '' : `X-Forwarded-For: ${forwardedFor}\r\n`;
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${forwarded}\r\n`);
    return this;
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

test.each([
  ['directly', GREEDY, OTHER, undefined, undefined],
  ['behind a proxy', PROXY, PROXY, '198.51.100.1', '198.51.100.2'],
])(
  '%s, an office of 200 with six connections each is served, and others beside it at once',
  async (_name, officePeer, otherPeer, officeAddress, otherAddress) => {
    await open();
    const office = many(OFFICE, officePeer).map((visitor) => visitor.ask('/slow', officeAddress));
    await expect.poll(admission.underWay).toBe(MAX_PER_ADDRESS);
    const other = new Visitor(otherPeer).ask('/', otherAddress);
    await expect.poll(other.statuses).toEqual(['200']);
    expect(other.received).toContain(`\r\n\r\n${otherAddress ?? OTHER}`);
    gate.resolve();
    await expect.poll(() => countOf(office, '200')).toBe(OFFICE);
    expect([admission.refused(), admission.limited()]).toEqual([0, 0]);
  },
);

test('requests that wait for their turn and hang up leave no place taken', async () => {
  await open();
  for (let round = 0; round < 3; round++) {
    const gone = many(400, GREEDY).map((visitor) => visitor.ask('/slow').ask('/slow'));
    await expect.poll(admission.underWay).toBe(MAX_PER_ADDRESS);
    for (const { socket } of gone) socket.resetAndDestroy();
    await expect.poll(openCount).toBe(0);
    // What has begun goes on, and keeps its address's share.
    expect(admission.underWay()).toBe(MAX_PER_ADDRESS);
    gate.resolve();
    await expect.poll(admission.underWay).toBe(0);
    gate = Promise.withResolvers();
  }
  const after = many(MAX_PER_ADDRESS, GREEDY).map((visitor) => visitor.ask('/'));
  await expect.poll(() => countOf(after, '200')).toBe(MAX_PER_ADDRESS);
});

test('connections of an address are limited: idle ones make room, busy ones do not', async () => {
  await open();
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

test('a full server closes the longest idle connection for a new one, limits or not', async () => {
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
  gate.resolve();
  await expect.poll(() => countOf(busy, '200')).toBe(20);
  await expect.poll(askedBy(OTHER).statuses).toEqual(['200']);
});

test('an address that keeps asking is told when to come back, and others are served', async () => {
  // Ten seconds of requests, however long a busy machine takes to send them.
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
