/** Connections that are kept by visitors who were refused, on real sockets. */
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Admission, addAdmission } from '../../server/http/admission/admission.ts';
import { createHttpServer, type HttpServer } from '../../server/http/http-server.ts';

const FULL = 1024;
const GET = 'GET /api/echo HTTP/1.1\r\nHost: a\r\n\r\n';
const postOf = (text: string) =>
  `POST /api/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${text.length + 2}\r\n\r\n"${text}"`;

let server: HttpServer;
let admission: Admission;
let url: string;
let free: () => void;
let socket: Socket;
let received: string;
beforeEach(async () => {
  server = createHttpServer({
    config: { trustProxy: [] },
    log: false,
    headers: { 'x-content-type-options': 'nosniff' },
    sendNotFound: (_request, reply) => reply.code(404).send(),
  });
  admission = addAdmission(server, { 'x-content-type-options': 'nosniff' });
  const { promise, resolve } = Promise.withResolvers<void>();
  free = resolve;
  server.get('/slow', () => promise);
  server.get('/api/echo', async () => 'nothing');
  server.get('/healthz', async () => 'ok');
  server.post('/api/echo', async (request) => request.body);
  await server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  const { port } = server.server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  for (let index = 0; index < FULL; index += 1)
    void fetch(`${url}/slow`).then(
      (answer) => answer.text(),
      () => {}, // Of a test that has failed.
    );
  await expect.poll(admission.underWay, { timeout: 30_000 }).toBe(FULL);
  socket = connect({ port, host: '127.0.0.1', noDelay: true });
  received = '';
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
  });
  for (let time = 0; time < 3; time += 1) expect(await ask(GET)).toContain(' 503 ');
});
afterEach(async () => {
  free();
  socket.destroy();
  await server.close();
});

/** What comes until `count` answers more are whole. */
async function ask(bytes: string, count = 1): Promise<string> {
  received = '';
  socket.write(bytes);
  return await answers(count);
}

async function answers(count: number): Promise<string> {
  const whole = () => received.split('HTTP/1.1 ').slice(1).filter(isWhole).length;
  await expect.poll(whole, { timeout: 30_000, interval: 5 }).toBe(count);
  return received;
}

function isWhole(answer: string): boolean {
  const bodyStart = answer.indexOf('\r\n\r\n') + 4;
  const length = /content-length: (\d+)/i.exec(answer)?.[1];
  return bodyStart > 3 && answer.length - bodyStart === Number(length);
}

function expectDone(answer: string, body: string): void {
  expect(answer).toContain(' 200 ');
  expect(answer.endsWith(`\r\n\r\n${body}`), answer).toBe(true);
}

async function makeRoom(): Promise<void> {
  free();
  await expect.poll(admission.underWay, { timeout: 30_000 }).toBe(0);
}

test('every refusal is the same answer, whoever reads the request', async () => {
  const before = admission.refused();
  const answer = await ask(GET);
  const called = await fetch(`${url}/api/echo`);
  // Only Node's own says when it was made.
  expect(answer).not.toContain('Date: ');
  expect(called.headers.has('date')).toBe(true);
  for (const [name, value] of called.headers)
    if (!['date', 'connection', 'keep-alive'].includes(name)) expect(answer).toContain(`\r\n${name}: ${value}\r\n`);
  expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe(await called.text());
  const page = await ask('GET / HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n');
  expect(page).toContain('content-type: text/html');
  expect(page).toContain('<h1>One moment</h1>');
  expect(admission.refused()).toBe(before + 3);
});

test('who was refused is let in on the same connection as soon as there is room', async () => {
  expect(await ask(postOf('early'))).toContain(' 503 ');
  await makeRoom();
  expectDone(await ask(postOf('late')), 'late');
  expectDone(await ask(GET), 'nothing');
});

test('whoever looks after the server is let in on a connection that was refused', async () => {
  expectDone(await ask('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'), 'ok');
  expect(await ask(GET)).toContain(' 503 ');
});

test('a request in pieces is one request', async () => {
  const post = postOf('in pieces');
  socket.write(post.slice(0, 20));
  await delay(50);
  expect(await ask(post.slice(20))).toContain(' 503 ');
  expect(await ask(GET)).toContain(' 503 ');
  await makeRoom();
  socket.write(post.slice(0, -6));
  await delay(50);
  expectDone(await ask(post.slice(-6)), 'in pieces');
});

test('a body that looks like a request is none', async () => {
  const head = postOf('x'.repeat(GET.length - 2)).slice(0, -GET.length);
  expect(await ask(head)).toContain(' 503 ');
  received = '';
  socket.write(GET);
  await delay(50);
  expect(received).toBe('');
  expect(await ask(GET)).toContain(' 503 ');
  expect(await ask(GET)).toContain(' 503 ');
});

test('requests that are sent without waiting are answered one by one, in their order', async () => {
  expect((await ask(GET + postOf('second') + GET, 3)).match(/ 503 /g)).toHaveLength(3);
  await makeRoom();
  const answers = (await ask(postOf('first') + postOf('second') + GET, 3)).split('HTTP/1.1').slice(1);
  for (const [index, body] of ['first', 'second', 'nothing'].entries()) expectDone(answers[index] ?? '', body);
});

test('a server that stops tells a connection that was refused that it ends', async () => {
  const isClosed = server.close();
  await expect.poll(() => server.server.listening).toBe(false);
  expect((await ask(GET)).toLowerCase()).toContain('\r\nconnection: close\r\n');
  free();
  await isClosed;
});
