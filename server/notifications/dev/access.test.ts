import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { openDevMailAccess } from './access.ts';

const config = readConfig({});

test.each<[Record<string, string>, string]>([
  [{ 'x-forwarded-for': '192.0.2.7' }, 'the header x-forwarded-for'],
  [{ 'x-forwarded-proto': 'https' }, 'the header x-forwarded-proto'],
  [{ forwarded: 'for=192.0.2.7' }, 'the header forwarded'],
  [{ via: '1.1 proxy' }, 'the header via'],
  [{ 'x-real-ip': '192.0.2.7' }, 'the header x-real-ip'],
  [{ 'cf-connecting-ip': '192.0.2.7' }, 'the header cf-connecting-ip'],
  [{ host: 'rebound.example.com' }, 'the host name of another machine'],
  [{ host: 'upstream' }, 'the host name of another machine'],
])('a proxy is known by %j', async (headers, sign) => {
  const server = Fastify() as unknown as HttpServer;
  const access = openDevMailAccess(server, { config, secretKey: 'a secret key' });
  server.get('/', async () => {
    await access?.refuseWhenClosed();
    return 'shown';
  });
  const ask = (own: Record<string, string>) =>
    server.inject({ url: '/', headers: { host: 'LOCALHOST:3000', ...own } });
  expect((await ask({ 'accept-language': 'en', connection: 'keep-alive' })).statusCode).toBe(200);
  expect((await ask(headers)).payload).toContain(`came with ${sign}, so a proxy`);
  expect((await ask({})).payload).toContain(`came with ${sign}, so a proxy`);
});
