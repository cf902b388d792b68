import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { RequestError, request } from './request.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const failureOf = async (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error as RequestError,
  );

test('a body goes out and comes in as JSON', async () => {
  const path = await listen((message, response) => {
    expect(message.headers['content-type']).toBe('application/json');
    message.pipe(response);
  });
  const body = { size: 'Small', stock: 3 };
  expect(await request({ path, method: 'PUT', body })).toEqual(body);
});

test('a call without a body has no content type', async () => {
  const path = await listen((message, response) => {
    response.end(JSON.stringify(message.headers['content-type'] ?? null));
  });
  expect(await request({ path })).toBe(null);
});

test.each([
  ['{"detail":"3 masks are allocated."}', '3 masks are allocated.'],
  [
    '{"detail":"The field \\"input.drawn_among\\" must be at most 10000."}',
    '“drawn among” must be at most 10000.',
  ],
  ['{"detail":" "}', 'The server answered 409.'],
  ['{"detail":7}', 'The server answered 409.'],
  ['<h1>Conflict</h1>', 'The server answered 409.'],
  ['', 'The server answered 409.'],
])('a refusal with %s reads "%s"', async (body, message) => {
  const path = await listen((_message, response) => {
    response.writeHead(409, { 'retry-after': '7' }).end(body);
  });
  expect(await failureOf(request({ path }))).toMatchObject({ message, status: 409, retryAfter: 7 });
});

test('an answer that does not come, or breaks off, is a failure without a status', async () => {
  const silent = await listen(() => {});
  expect(await failureOf(request({ path: silent, timeoutMs: 100 }))).toMatchObject({
    message: 'The server has not answered in 0.1 seconds.',
    status: null,
  });
  server?.closeAllConnections();
  const broken = await listen((_message, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"a":');
    setImmediate(() => response.destroy());
  });
  const failure = await failureOf(request({ path: broken }));
  expect(failure).toBeInstanceOf(RequestError);
  expect(failure).toMatchObject({ status: null });
});

test('an abort by the caller is not a failure of the call', async () => {
  const path = await listen(() => {});
  const controller = new AbortController();
  const call = failureOf(request({ path, signal: controller.signal }));
  controller.abort(new Error('left'));
  expect(await call).toMatchObject({ message: 'left' });
  expect(await failureOf(request({ path, signal: controller.signal }))).toMatchObject({
    message: 'left',
  });
});
