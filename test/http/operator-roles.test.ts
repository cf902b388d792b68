/** What each role, API keys and nobody may do, over every call of the OpenAPI document. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import type { Access } from '../../server/access/actor.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { openImportCalls } from './import-calls.ts';
import { dumpLine } from './mail-links.ts';
import { type OperatorCall, readOperatorCalls } from './operator-calls.ts';
import { askWith, asToken, fromConsole, OWNER, signIn, signInAs } from './operator-sessions.ts';
import { openTestApp, type TestApp } from './test-app.ts';

/** Calls about the caller's own way in: open to viewers although some change something. */
const NOT_OF_THE_LINE: readonly string[] = [
  operatorPaths.signIn,
  operatorPaths.signInMail,
  operatorPaths.passkeyChallenge,
  operatorPaths.passkeySignIn,
  operatorPaths.me,
  operatorPaths.session,
  operatorPaths.sessions,
  operatorPaths.oneSession,
  operatorPaths.passkeys,
  operatorPaths.newPasskey,
  operatorPaths.passkey,
];
const asDescribed = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}');

describe.each(oneEngine)('the role matrix on %s', (engine) => {
  let app: TestApp;
  let calls: readonly OperatorCall[];
  let callers: readonly {
    readonly name: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly may: readonly Access[];
  }[];

  beforeAll(async () => {
    app = await openTestApp(engine);
    calls = await readOperatorCalls(app);
    await signIn(app);
    const viewer = await signInAs(app, { name: 'Vera', email: 'v@example.com', role: 'viewer' });
    const keyOf = async (...scopes: Access[]) => {
      const made = await askWith(app, asToken)('POST', operatorPaths.keys, { name: 'k', scopes });
      return { authorization: `Bearer ${made.json().key}` };
    };
    const door = await signInAs(app, { name: 'Dora', email: 'd@example.com', role: 'door' });
    callers = [
      { name: 'a viewer', headers: fromConsole(viewer.cookie), may: ['known', 'self', 'read'] },
      { name: 'door staff', headers: fromConsole(door.cookie), may: ['known', 'self', 'redeem'] },
      { name: 'a key to read', headers: await keyOf('read'), may: ['known', 'read'] },
      { name: 'a key to write', headers: await keyOf('write'), may: ['known', 'write'] },
      { name: 'a key to export', headers: await keyOf('export'), may: ['known', 'export'] },
      {
        name: 'a key for all',
        headers: await keyOf('read', 'write', 'export'),
        may: ['known', 'read', 'write', 'export'],
      },
    ];
    // Noted once a minute, so that no call below changes when a key was last used.
    for (const { headers } of callers) await askWith(app, headers)('GET', operatorPaths.counts);
  });
  afterAll(() => app.remove());

  test('only calls about the own way in need less than to read', () => {
    const open = calls.filter(({ access }) => ['anyone', 'known', 'self'].includes(access));
    expect(new Set(open.map(({ path }) => path))).toEqual(
      new Set(NOT_OF_THE_LINE.map(asDescribed)),
    );
    expect(calls.length).toBeGreaterThan(30);
  });

  test('door staff may use up passes, and call nothing else but what is about themselves', () => {
    const ofDoor = calls.filter(({ access }) => access === 'redeem').map(({ path }) => path);
    expect(ofDoor).toEqual([
      operatorPaths.redeemPass,
      operatorPaths.doorPasses,
      operatorPaths.scanPass,
      operatorPaths.undoScan,
    ]);
  });

  test('what a GET shows needs no right to write', () => {
    const odd = calls.filter(({ method, access }) => method === 'GET' && access === 'write');
    expect(odd).toEqual([]);
  });

  test('nobody gets 401 from every call but those that sign in', async () => {
    for (const { method, url, access } of calls.filter((call) => call.access !== 'anyone')) {
      const { statusCode } = await askWith(app, {})(method, url, {});
      expect([method, url, access, statusCode]).toEqual([method, url, access, 401]);
    }
  });

  test('every call that a role does not allow answers 403 and changes nothing', async () => {
    const before = await dumpLine(app);
    let refused = 0;
    for (const { name, headers, may } of callers)
      for (const { method, url, access } of calls) {
        if (access === 'anyone' || may.includes(access)) continue;
        const answer = await askWith(app, headers)(method, url, {});
        expect([name, method, url, answer.statusCode]).toEqual([name, method, url, 403]);
        expect(answer.json()).toEqual({ detail: expect.stringMatching(/^[A-Z].*\.$/) });
        refused += 1;
      }
    expect(refused).toBeGreaterThan(100);
    expect(await dumpLine(app)).toBe(before);
  });

  test('a change beyond the scopes of a key answers 403 and changes nothing', async () => {
    const keyOf = (name: string) =>
      askWith(app, callers.find((caller) => caller.name === name)?.headers ?? {});
    const member = await app.join('member@example.com');
    const imports = openImportCalls(app);
    const { id } = await imports.check('email\nlisted@example.com');
    const correction = {
      kind: 'correct-address',
      input: { member_id: member.id, email: 'other@example.com' },
    };
    const list = {
      kind: 'import-members',
      input: { import_id: id, may_mail: true, confirmed: false, mail: 'none' },
    };
    const before = await dumpLine(app);
    for (const [name, path, body] of [
      ['a key to write', operatorPaths.previewChange, correction],
      ['a key to write', operatorPaths.previewChange, list],
      ['a key for all', operatorPaths.previewChange, list],
      ['a key to write', operatorPaths.changes, { ...list, reason: 'mine' }],
      ['a key for all', operatorPaths.changes, { ...list, reason: 'mine' }],
    ] as const) {
      const answer = await keyOf(name)('POST', path, body);
      expect([name, path, answer.statusCode]).toEqual([name, path, 403]);
    }
    expect(await dumpLine(app)).toBe(before);
    const { change } = (await imports.apply(id)).json();
    const undo = fillPath(operatorPaths.undoChange, String(change));
    expect((await keyOf('a key for all')('POST', undo, { reason: 'mine' })).statusCode).toBe(403);
    expect(
      (await keyOf('a key for all')('POST', operatorPaths.previewChange, correction)).json(),
    ).toMatchObject({ sentences: expect.any(Array) });
    const made = await keyOf('a key to write')('POST', operatorPaths.changes, {
      ...correction,
      reason: 'mine',
    });
    expect(made.statusCode).toBe(201);
    expect((await imports.undo(change)).statusCode).toBe(201);
  });

  test('every call that a role allows gets past the check', async () => {
    for (const { name, headers, may } of callers)
      for (const { method, url, access } of calls.filter((call) => may.includes(call.access))) {
        // Last: these end the session that the others need.
        if (access === 'self' && method === 'DELETE') continue;
        const { statusCode } = await askWith(app, headers)(method, url, {});
        expect([name, method, url, [401, 403].includes(statusCode)]).toEqual([
          name,
          method,
          url,
          false,
        ]);
      }
  });
});

describe.each(oneEngine)('operators and keys on %s', (engine) => {
  let app: TestApp;
  let owner: ReturnType<typeof askWith>;
  let ownerId: string;
  beforeAll(async () => {
    app = await openTestApp(engine);
    owner = askWith(app, fromConsole(await signIn(app)));
    ownerId = (await owner('GET', operatorPaths.me)).json().session.operator.id;
  });
  afterAll(() => app.remove());

  const step = tellStory('goes through one step after the other');

  step('a role holds at once, and a removed operator is out at once', async () => {
    const { id, cookie } = await signInAs(app, {
      name: 'Vera',
      email: 'vera@example.com',
      role: 'viewer',
    });
    const vera = askWith(app, fromConsole(cookie));
    const write = () => vera('POST', operatorPaths.resumeMail, { email: 'x@example.com' });
    expect((await write()).statusCode).toBe(403);
    const path = fillPath(operatorPaths.operatorRole, id);
    expect((await owner('PUT', path, { role: 'owner' })).json()).toMatchObject({ role: 'owner' });
    expect((await write()).statusCode).toBe(200);
    expect((await owner('DELETE', fillPath(operatorPaths.operator, id))).statusCode).toBe(204);
    expect((await write()).statusCode).toBe(401);
    expect((await owner('DELETE', fillPath(operatorPaths.operator, id))).statusCode).toBe(404);
  });

  step('an owner ends all sessions of an operator', async () => {
    const { id, cookie } = await signInAs(app, {
      name: 'Sam',
      email: 'sam@example.com',
      role: 'viewer',
    });
    const path = fillPath(operatorPaths.operatorSessions, id);
    expect((await owner('DELETE', path)).statusCode).toBe(204);
    const sam = askWith(app, fromConsole(cookie));
    expect((await sam('GET', operatorPaths.me)).statusCode).toBe(401);
  });

  step('an address is invited once', async () => {
    const again = { name: 'Ada', email: 'ADA@example.com', role: 'viewer' };
    expect((await owner('POST', operatorPaths.operators, again)).statusCode).toBe(409);
  });

  step('the last owner is neither removed nor demoted', async () => {
    const remove = await owner('DELETE', fillPath(operatorPaths.operator, ownerId));
    const demote = await owner('PUT', fillPath(operatorPaths.operatorRole, ownerId), {
      role: 'viewer',
    });
    expect([remove.statusCode, demote.statusCode]).toEqual([409, 409]);
    expect(remove.json().detail).toContain('the only owner');
  });

  step('of two owners that demote or remove each other at once, one stays', async () => {
    const second = await app.openAnother();
    for (const operation of ['PUT', 'DELETE'] as const)
      for (let round = 0; round < 5; round++) {
        const email = `other-${operation}-${round}@example.com`.toLowerCase();
        const other = await signInAs(app, { name: 'Eve', email, role: 'owner' });
        const change = (by: Parameters<typeof askWith>[0], id: string) => {
          const path = operation === 'PUT' ? operatorPaths.operatorRole : operatorPaths.operator;
          const body = operation === 'PUT' ? { role: 'viewer' } : undefined;
          return askWith(by, asToken)(operation, fillPath(path, id), body);
        };
        const answers = await Promise.all([change(app, ownerId), change(second, other.id)]);
        const statuses = answers.map(({ statusCode }) => statusCode).sort();
        expect(statuses).toEqual([operation === 'PUT' ? 200 : 204, 409]);
        const { operators } = (
          await askWith(app, asToken)('GET', operatorPaths.operators)
        ).json() as { operators: { id: string; role: string; email: string }[] };
        const owners = operators.filter(({ role }) => role === 'owner');
        expect(owners).toHaveLength(1);
        ownerId = owners[0]?.id ?? '';
      }
    await second.close();
  });

  step('a key is shown once, works, says when it was used, and is revoked', async () => {
    const ask = askWith(app, asToken);
    const made = await ask('POST', operatorPaths.keys, { name: 'nightly', scopes: ['export'] });
    const { id, key } = made.json();
    expect(key).toMatch(/^waitlist_key_[\w-]{43}$/);
    const withKey = askWith(app, { authorization: `Bearer ${key}` });
    const take = () => withKey('GET', `${operatorPaths.exportMembers}?format=csv`);
    const listed = async () =>
      (await ask('GET', operatorPaths.keys))
        .json()
        .keys.find((one: { id: string }) => one.id === id);
    expect(await listed()).toMatchObject({ hint: key.slice(0, 17), last_used_at: null });
    expect((await take()).statusCode).toBe(200);
    expect((await listed()).last_used_at).toMatch(/Z$/);
    expect(JSON.stringify(await listed()).includes(key)).toBe(false);
    expect((await ask('DELETE', fillPath(operatorPaths.key, id))).statusCode).toBe(204);
    expect((await take()).statusCode).toBe(401);
  });

  test.each([[], ['owner'], ['read', 'read'], ['self']])(
    'a key with the scopes %j %j is not made',
    async (...scopes) => {
      const answer = await askWith(app, asToken)('POST', operatorPaths.keys, { name: 'x', scopes });
      expect(answer.statusCode).toBe(422);
    },
  );
});

test('the operator token is nobody with sessions or passkeys', async () => {
  const app = await openTestApp('postgres');
  const ask = askWith(app, asToken);
  expect((await ask('GET', operatorPaths.me)).json()).toMatchObject({
    kind: 'token',
    role: 'owner',
    session: null,
  });
  expect((await ask('GET', operatorPaths.sessions)).statusCode).toBe(403);
  expect((await ask('POST', operatorPaths.newPasskey)).statusCode).toBe(403);
  expect((await ask('POST', operatorPaths.operators, { ...OWNER, role: 'viewer' })).json()).toEqual(
    {
      detail: 'The first operator must be an owner.',
    },
  );
  await app.remove();
});
