/** Signing in with passkeys that sign, by each algorithm that passkeys use. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { ALGORITHMS, createPasskey } from '../support/authenticator.ts';
import { askWith, fromConsole, OWNER, signIn, signInAs } from './operator-sessions.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const ORIGIN = 'https://line.example.com';
const algorithms = Object.keys(ALGORITHMS) as (keyof typeof ALGORITHMS)[];

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp('postgres', { isLimiting: true });
  await signIn(app);
});
afterAll(() => app.remove());

async function addPasskey(algorithm: keyof typeof ALGORITHMS) {
  const owner = askWith(app, fromConsole(await signIn(app, OWNER.email)));
  const passkey = createPasskey(algorithm, ORIGIN);
  const credential = passkey.register((await owner('POST', operatorPaths.newPasskey)).json());
  const added = await owner('POST', operatorPaths.passkeys, { name: algorithm, credential });
  expect(added.statusCode).toBe(201);
  return passkey;
}

const challenge = async () =>
  (await askWith(app, {})('POST', operatorPaths.passkeyChallenge)).json();
const enter = (credential: object) =>
  askWith(app, {})('POST', operatorPaths.passkeySignIn, { credential });

test.each(algorithms)(
  'a passkey of %s is added and signs in, again and again',
  async (algorithm) => {
    const passkey = await addPasskey(algorithm);
    for (let time = 0; time < 2; time += 1) {
      const entered = await enter(passkey.signIn(await challenge()));
      expect(entered.json()).toMatchObject({ operator: { email: OWNER.email } });
    }
  },
);

test.each(algorithms)(
  'a signature of %s by another key, or used twice, is refused',
  async (algorithm) => {
    const passkey = await addPasskey(algorithm);
    const stranger = createPasskey(algorithm, ORIGIN);
    const options = await challenge();
    let foreign: Buffer = Buffer.of();
    stranger.signIn(options, (signature) => {
      foreign = signature;
      return signature;
    });
    expect((await enter(passkey.signIn(options, () => foreign))).statusCode).toBe(401);
    const used = passkey.signIn(await challenge());
    expect((await enter(used)).statusCode).toBe(200);
    expect((await enter(used)).statusCode).toBe(401);
  },
);

test('a signature that cannot be read is no wrong secret', async () => {
  const passkey = await addPasskey('ES256');
  for (let time = 0; time < 12; time += 1) {
    const unreadable = passkey.signIn(await challenge(), () => Buffer.from('unreadable'));
    expect((await enter(unreadable)).statusCode).toBe(409);
  }
  expect((await enter(passkey.signIn(await challenge()))).statusCode).toBe(200);
});

test('operators see, rename and remove passkeys of their own alone', async () => {
  await addPasskey('ES256');
  const owner = askWith(app, fromConsole(await signIn(app, OWNER.email)));
  const { passkeys } = (await owner('GET', operatorPaths.passkeys)).json();
  expect(passkeys.map(({ name }: { name: string }) => name)).toContain('ES256');

  const grace = { name: 'Grace', email: 'grace@example.com', role: 'owner' } as const;
  const other = askWith(app, fromConsole((await signInAs(app, grace)).cookie));
  expect((await other('GET', operatorPaths.passkeys)).json()).toEqual({ passkeys: [] });
  const path = fillPath(operatorPaths.passkey, passkeys[0].id);
  expect((await other('PUT', path, { name: 'Mine' })).statusCode).toBe(404);
  expect((await other('DELETE', path)).statusCode).toBe(404);
  expect((await owner('GET', operatorPaths.passkeys)).json()).toEqual({ passkeys });
});
