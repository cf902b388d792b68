import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { measure } from './measure.ts';

const RIGHT = { status: 200, body: '{"total_signups":1}' };
let answer = RIGHT;
let asked = 0;
const server = createServer((_request, response) => {
  asked += 1;
  response.writeHead(answer.status).end(answer.body);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  answer = RIGHT;
  asked = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function load() {
  const { port } = server.address() as AddressInfo;
  const sample = { ids: [], codes: [], inviterCodes: [] };
  const target = { url: `http://127.0.0.1:${port}`, pid: process.pid, databaseUrl: null, sample };
  return measure(target, { kind: 'stats', inFlight: 4, warmUpSeconds: 0.3, seconds: 0.3 });
}

test('a load is measured by its answers, those of the warm-up left out', async () => {
  const { perSecond, p50Ms, p99Ms } = await load();
  expect(perSecond * 0.3).toBeGreaterThan(4);
  expect(perSecond * 0.3).toBeLessThan(asked);
  expect(p50Ms).toBeGreaterThan(0);
  expect(p50Ms).toBeLessThanOrEqual(p99Ms);
});

test('a wrong answer fails it, and so does an error', async () => {
  answer = { ...RIGHT, body: '{"members":1}' };
  await expect(load()).rejects.toThrow('200 {"members":1} instead of "total_signups":');
  answer = { ...RIGHT, status: 503 };
  await expect(load()).rejects.toThrow('503 ');
});
