/**
 * Requests that a browser with an operator's cookie could be made to send: origin, Sec-Fetch-Site,
 * content type and method in every combination, against a running server.
 */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { OWNER, signIn, signInAs } from '../http/operator-sessions.ts';
import { provideApp } from '../http/provide-app.ts';

const app = provideApp('postgres', { publicUrl: 'http://127.0.0.1:3000' });
let port: number;
let cookie: string;
let own: string;
let viewerId: string;
/** Not the one that the viewer has. */
let otherRole = 'owner';

beforeAll(async () => {
  await app.fastify.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.fastify.server.address() as AddressInfo);
  own = `http://127.0.0.1:${port}`;
  cookie = await signIn(app);
  const viewer = { name: 'Vera', email: 'vera@example.com', role: 'viewer' } as const;
  viewerId = (await signInAs(app, viewer)).id;
});

async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<number> {
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { ...headers, ...length },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode ?? 0;
}

/** All that an operator can have changed. */
async function dump(): Promise<string> {
  const tables = ['operator', 'api_key', 'mask_size', 'allocation', 'passkey'];
  const rows = await Promise.all(
    tables.map(
      async (table) => (await app.database.runSql(`select * from ${table} order by 1`)).rows,
    ),
  );
  return JSON.stringify(rows);
}

const ORIGINS = {
  own: () => own,
  'the public address': () => 'http://127.0.0.1:3000',
  none: () => null,
  hidden: () => 'null',
  'another site': () => 'https://evil.example',
  'another port': () => `http://127.0.0.1:${port + 1}`,
} as const;
const SITES = ['same-origin', 'same-site', 'cross-site', 'none', null] as const;
const TYPES = ['application/json', 'text/plain', 'application/x-www-form-urlencoded'] as const;
const CALLS = [
  [
    'POST',
    () => operatorPaths.changes,
    () => ({
      kind: 'allocate-masks',
      input: { size: 'Medium', quantity: 1, note: 'x' },
      reason: 'x',
    }),
  ],
  ['PUT', () => fillPath(operatorPaths.operatorRole, viewerId), () => ({ role: otherRole })],
  ['DELETE', () => fillPath(operatorPaths.key, 'x'), () => ({})],
] as const;

test('only our own pages change something: 270 combinations', async () => {
  let [round, effects] = [0, 0];
  for (const [originName, originOf] of Object.entries(ORIGINS))
    for (const site of SITES)
      for (const type of TYPES)
        for (const [method, pathOf, bodyOf] of CALLS) {
          round += 1;
          const origin = originOf();
          const headers = {
            cookie,
            'content-type': type,
            ...(origin !== null && { origin }),
            ...(site !== null && { 'sec-fetch-site': site }),
          };
          const isOwnOrigin = originName === 'own' || originName === 'the public address';
          const isOwn =
            (site === 'same-origin' && (isOwnOrigin || origin === null)) ||
            (site === null && isOwnOrigin);
          const before = await dump();
          const status = await send(method, pathOf(), headers, JSON.stringify(bodyOf()));
          const hasEffect = (await dump()) !== before;
          const cell = [method, originName, site, type];
          if (!isOwn) expect([...cell, status, hasEffect]).toEqual([...cell, 403, false]);
          else if (type !== 'application/json')
            expect([...cell, status, hasEffect]).toEqual([...cell, 415, false]);
          else if (method !== 'DELETE')
            expect([...cell, status < 300, hasEffect]).toEqual([...cell, true, true]);
          if (!hasEffect) continue;
          effects += 1;
          if (method === 'PUT') otherRole = otherRole === 'owner' ? 'viewer' : 'owner';
        }
  expect(round).toBe(270);
  expect(effects).toBe(10);
});

test('a body without a type, and a call without a body, need our page as well', async () => {
  const verify = (headers: Record<string, string>) =>
    send('POST', operatorPaths.verify, { cookie, ...headers }, '');
  expect(await verify({})).toBe(403);
  expect(await verify({ origin: 'https://evil.example' })).toBe(403);
  expect(await verify({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await verify({ 'sec-fetch-site': 'same-origin' })).toBe(200);
  const untyped = { cookie, 'sec-fetch-site': 'same-origin' };
  expect(await send('POST', operatorPaths.changes, untyped, '{"size":"Small"}')).toBe(415);
});

test('another site cannot sign its visitor in as somebody, nor out', async () => {
  const token = 'a'.repeat(43);
  const elsewhere = { origin: 'https://evil.example', 'content-type': 'application/json' };
  const body = JSON.stringify({ token, owner: OWNER });
  expect(await send('POST', operatorPaths.signIn, elsewhere, body)).toBe(403);
  expect(await send('DELETE', operatorPaths.session, { cookie, ...elsewhere }, '')).toBe(403);
  expect(await send('GET', operatorPaths.me, { cookie }, '')).toBe(200);
});

test('a method override and a cookie beside a wrong token open nothing', async () => {
  const override = { cookie, 'x-http-method-override': 'DELETE', 'sec-fetch-site': 'cross-site' };
  expect(await send('GET', operatorPaths.me, override, '')).toBe(403);
  const both = { cookie, authorization: 'Bearer wrong', 'sec-fetch-site': 'same-origin' };
  expect(await send('GET', operatorPaths.me, both, '')).toBe(401);
});
