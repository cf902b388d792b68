import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UNATTENDED_HEADER } from '../../contract/operator/paths.ts';
import { watchAttention } from './attention.ts';
import { request } from './request.ts';

const page = new EventTarget();
const server = createServer((message, response) => {
  response.end(JSON.stringify(message.headers[UNATTENDED_HEADER] ?? null));
});
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  watchAttention(page);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  vi.useRealTimers();
  server.close();
});

test('a call says when nobody has touched the page for a minute', async () => {
  const path = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const header = () => request({ path });
  page.dispatchEvent(new Event('keydown'));
  expect(await header()).toBe(null);
  vi.setSystemTime(Date.now() + 59_000);
  expect(await header()).toBe(null);
  vi.setSystemTime(Date.now() + 2_000);
  expect(await header()).toBe('true');
  page.dispatchEvent(new Event('pointermove'));
  expect(await header()).toBe(null);
});
