/** How long an API key works: until its end, and as long as whoever made it is an owner. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import {
  askWith,
  asToken,
  fromConsole,
  makeLink,
  OWNER,
  signIn,
  signInAs,
} from './operator-sessions.ts';
import { openTestApp, type TestApp } from './test-app.ts';

let app: TestApp;
let owner: ReturnType<typeof askWith>;
beforeAll(async () => {
  app = await openTestApp('postgres');
  owner = askWith(app, fromConsole(await signIn(app)));
});
afterAll(() => app.remove());

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

async function makeKey(by: ReturnType<typeof askWith>, name: string, more: object = {}) {
  const made = await by('POST', operatorPaths.keys, { name, scopes: ['read'], ...more });
  expect(made.statusCode).toBe(201);
  const { id, key } = made.json() as { id: string; key: string };
  return {
    call: () => askWith(app, { authorization: `Bearer ${key}` })('GET', operatorPaths.counts),
    read: async () => {
      const { keys } = (await owner('GET', operatorPaths.keys)).json();
      return keys.find((one: { id: string }) => one.id === id);
    },
  };
}

async function secondOwner(name: string) {
  const email = `${name.toLowerCase()}@example.com`;
  const { id, cookie } = await signInAs(app, { name, email, role: 'owner' });
  return { id, email, ask: askWith(app, fromConsole(cookie)) };
}

const lastSummary = async () =>
  (await owner('GET', operatorPaths.changes)).json().entries[0].summary as string;

test('a key works only while whoever made it is an owner', async () => {
  const sam = await secondOwner('Sam');
  const key = await makeKey(sam.ask, 'nightly');
  const role = (to: string) =>
    owner('PUT', fillPath(operatorPaths.operatorRole, sam.id), { role: to });
  expect((await key.call()).statusCode).toBe(200);
  await role('viewer');
  expect(await lastSummary()).toBe('Made Sam a viewer. Suspended the API key "nightly".');
  const refused = await key.call();
  expect([refused.statusCode, refused.json().detail]).toEqual([
    401,
    'This API key has ended: whoever made it is no owner any more.',
  ]);
  expect(await key.read()).toMatchObject({ state: 'suspended', created_by_id: sam.id });
  await role('owner');
  expect((await key.call()).statusCode).toBe(200);
});

test('the keys of a removed operator are revoked with them, and no other one', async () => {
  const kim = await secondOwner('Kim');
  const keys = [await makeKey(kim.ask, 'shop'), await makeKey(kim.ask, 'report')];
  const others = [await makeKey(owner, 'mine'), await makeKey(askWith(app, asToken), 'rooted')];
  expect((await owner('DELETE', fillPath(operatorPaths.operator, kim.id))).statusCode).toBe(204);
  expect(await lastSummary()).toBe(
    'Removed the operator Kim. Revoked the API keys "shop", "report".',
  );
  for (const key of keys) {
    expect((await key.call()).statusCode).toBe(401);
    expect(await key.read()).toBeUndefined();
  }
  for (const key of others) expect((await key.call()).statusCode).toBe(200);
});

test('a key may have an end, after which it says so', async () => {
  const key = await makeKey(owner, 'season', { ends_at: inDays(30) });
  expect((await key.call()).statusCode).toBe(200);
  expect(await key.read()).toMatchObject({ state: 'active', last_used_at: expect.any(String) });
  const day = inDays(2).slice(0, 10);
  expect(await (await makeKey(owner, 'by day', { ends_at: day })).read()).toMatchObject({
    ends_at: `${day}T00:00:00.000Z`,
  });
  await app.database.runSql(`update api_key set ends_at = now() where name = 'season'`);
  const refused = await key.call();
  expect([refused.statusCode, refused.json().detail]).toEqual([
    401,
    'This API key has ended. Ask an owner for a new one.',
  ]);
  expect(await key.read()).toMatchObject({ state: 'ended' });
});

test.each([
  [inDays(-1), 'The end of a key must lie in the future.'],
  ['tomorrow', expect.stringContaining('must be a day such as')],
  ['2030-01-01T10:00', expect.stringContaining('a time with its zone')],
])('a key that ends at %j is not made', async (ends_at, detail) => {
  const body = { name: 'never', scopes: ['read'], ends_at };
  const answer = await owner('POST', operatorPaths.keys, body);
  expect([answer.statusCode, answer.json().detail]).toEqual([422, detail]);
});

test('ending all sessions of an operator ends the links that they have not used', async () => {
  const { id } = (await owner('GET', operatorPaths.me)).json().session.operator;
  const open = async (token: string) =>
    (await askWith(app, {})('POST', operatorPaths.signIn, { token })).statusCode;
  const before = await makeLink(app, OWNER.email);
  const ended = await askWith(app, asToken)('DELETE', fillPath(operatorPaths.operatorSessions, id));
  expect(ended.statusCode).toBe(204);
  expect(await open(before)).toBe(401);
  expect(await open(await makeLink(app, OWNER.email))).toBe(200);
  owner = askWith(app, fromConsole(await signIn(app, OWNER.email)));
});
