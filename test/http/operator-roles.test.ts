/** What each role, API keys and nobody may do, over every call, and who gives them that. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '../../contract/operator/calls/call.ts';
import type { AuditPage } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { verifyAudit } from '../../server/access/audit/verify-audit.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { openImportCalls } from './import-calls.ts';
import { dumpLine } from './mail-links.ts';
import { type OperatorCall, readOperatorCalls } from './operator-calls.ts';
import {
  type Ask,
  askWith,
  asToken,
  fromConsole,
  makeLink,
  OWNER,
  signIn,
  signInAs,
} from './operator-sessions.ts';
import { provideApp } from './provide-app.ts';
import { OPERATOR_TOKEN } from './test-app.ts';

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
  const app = provideApp(engine);
  let calls: readonly OperatorCall[];
  let callers: readonly {
    readonly name: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly may: readonly Access[];
  }[];

  beforeAll(async () => {
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

  test('nobody, and no wrong token, gets past 401 but where operators sign in', async () => {
    for (const { method, url } of calls.filter(({ access }) => access !== 'anyone'))
      for (const authorization of [
        undefined,
        'Bearer wrong',
        `Basic ${OPERATOR_TOKEN}`,
        `Bearer ${OPERATOR_TOKEN}x`,
      ]) {
        const headers = authorization === undefined ? {} : { authorization };
        const answer = await app.ask(method, url, {}, headers);
        expect([method, url, answer.statusCode]).toEqual([method, url, 401]);
        expect(answer.headers['www-authenticate']).toContain('Bearer');
        expect(Object.keys(answer.json())).toEqual(['detail']);
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
  const app = provideApp(engine);
  const byToken: Ask = (...call) => askWith(app, asToken)(...call);
  const openLink = async (token: string) =>
    (await askWith(app, {})('POST', operatorPaths.signIn, { token })).statusCode;
  let owner: Ask;
  let ownerId: string;
  let ownerEmail = OWNER.email;
  /** Signs in whoever is the owner by now. */
  const enter = async () => {
    owner = askWith(app, fromConsole(await signIn(app, ownerEmail)));
  };
  beforeAll(async () => {
    owner = askWith(app, fromConsole(await signIn(app)));
    ownerId = (await owner('GET', operatorPaths.me)).json().session.operator.id;
  });

  /** Entries after the one with the number, oldest first. */
  async function entriesAfter(last: number) {
    const { entries } = (await byToken('GET', operatorPaths.changes)).json() as AuditPage;
    return entries.filter(({ number }) => number > last).reverse();
  }
  const lastEntry = async () => (await entriesAfter(0)).at(-1);
  const countEntries = async () => (await lastEntry())?.number ?? 0;

  const setRole = (id: string, role: string) =>
    owner('PUT', fillPath(operatorPaths.operatorRole, id), { role });
  const remove = (id: string) => owner('DELETE', fillPath(operatorPaths.operator, id));
  const endSessions = (id: string) => owner('DELETE', fillPath(operatorPaths.operatorSessions, id));
  async function signInOwner(name: string) {
    const email = `${name.toLowerCase()}@example.com`;
    const { id, cookie } = await signInAs(app, { name, email, role: 'owner' });
    return { id, ask: askWith(app, fromConsole(cookie)) };
  }
  async function makeKey(by: Ask, name: string, more: object = {}) {
    const made = await by('POST', operatorPaths.keys, { name, scopes: ['read'], ...more });
    expect(made.statusCode).toBe(201);
    const { id, key } = made.json() as { id: string; key: string };
    return {
      id,
      key,
      call: async (path: string = operatorPaths.counts) => {
        const answer = await askWith(app, { authorization: `Bearer ${key}` })('GET', path);
        return [answer.statusCode, answer.statusCode === 200 ? null : answer.json().detail];
      },
      read: async () =>
        (await byToken('GET', operatorPaths.keys))
          .json()
          .keys.find((one: { id: string }) => one.id === id),
    };
  }
  const WORKS = [200, null];

  const step = tellStory('goes through one step after the other');

  step('the first link and whoever came in by it are the first two entries', async () => {
    expect(await entriesAfter(0)).toMatchObject([
      {
        actor: { kind: 'token' },
        action: 'make-sign-in-link',
        subject: null,
        summary: 'Made a link that signs in the first owner.',
        reason: null,
      },
      {
        actor: { kind: 'operator', id: ownerId, name: 'Ada' },
        action: 'sign-in',
        subject: { kind: 'operator', id: ownerId },
        summary: 'Became the first owner (Unknown device).',
        reason: null,
      },
    ]);
  });

  step('a role holds at once, sessions end at once, and each leaves an entry', async () => {
    const before = await countEntries();
    const invited = { name: 'Vera', email: 'vera@example.com', role: 'viewer' } as const;
    const { id, cookie } = await signInAs(app, invited);
    const vera = askWith(app, fromConsole(cookie));
    const wanted = { kind: 'set-stock', input: { size: 'Small', stock: 1 } };
    const write = async () => (await vera('POST', operatorPaths.previewChange, wanted)).statusCode;
    expect(await write()).toBe(403);
    expect((await setRole(id, 'owner')).json()).toMatchObject({ role: 'owner' });
    expect(await write()).toBe(200);
    expect((await endSessions(id)).statusCode).toBe(204);
    expect(await write()).toBe(401);
    const again = askWith(app, fromConsole(await signIn(app, invited.email)));
    const [session] = (await again('GET', operatorPaths.sessions)).json().sessions;
    await again('DELETE', fillPath(operatorPaths.oneSession, session.id));
    expect((await remove(id)).statusCode).toBe(204);
    expect((await remove(id)).statusCode).toBe(404);
    const entries = await entriesAfter(before);
    expect(entries.map(({ actor, summary }) => `${actor.name}: ${summary}`)).toEqual([
      'operator token: Invited Vera as a viewer.',
      'operator token: Made a link that signs in Vera.',
      'Vera: Signed in by a link (Unknown device).',
      'Ada: Made Vera an owner.',
      'Ada: Ended all sessions of Vera.',
      'operator token: Made a link that signs in Vera.',
      'Vera: Signed in by a link (Unknown device).',
      'Vera: Ended a session of their own.',
      'Ada: Removed the operator Vera.',
    ]);
    for (const { subject, reason } of entries)
      expect([subject, reason]).toEqual([{ kind: 'operator', id }, null]);
  });

  step('a removed operator is out at once', async () => {
    const { id, ask } = await signInOwner('Max');
    expect((await ask('GET', operatorPaths.me)).statusCode).toBe(200);
    await remove(id);
    expect((await ask('GET', operatorPaths.me)).statusCode).toBe(401);
  });

  step('what is refused leaves no entry, and a link is not in the log', async () => {
    const before = await countEntries();
    const nobody = '00000000-0000-4000-8000-000000000000';
    const viewer = { name: 'Ada', email: 'ADA@example.com', role: 'viewer' };
    const lastOwner = await remove(ownerId);
    expect(lastOwner.json().detail).toContain('the only owner');
    const refused = [
      lastOwner,
      await setRole(ownerId, 'viewer'),
      await owner('POST', operatorPaths.operators, viewer),
      await endSessions(nobody),
      await owner('DELETE', fillPath(operatorPaths.oneSession, nobody)),
      await owner('DELETE', fillPath(operatorPaths.passkey, nobody)),
      await owner('DELETE', fillPath(operatorPaths.key, nobody)),
      await owner('POST', operatorPaths.signInLinks, { email: 'nobody@example.com' }),
      await askWith(app, {})('POST', operatorPaths.signIn, { token: 'x'.repeat(43) }),
      await owner('POST', operatorPaths.operators, { ...viewer, name: 'a@example.com' }),
      await owner('POST', operatorPaths.keys, { name: 'ada@example.com', scopes: ['read'] }),
    ];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([
      409, 409, 409, 404, 404, 404, 404, 404, 401, 422, 422,
    ]);
    expect(await entriesAfter(before)).toEqual([]);
    const token = await makeLink(app, 'ada@example.com');
    const log = JSON.stringify(await app.sql('select row_to_json(audit_entry) from audit_entry'));
    for (const secret of ['@', token]) expect(log).not.toContain(secret);
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
        const { operators } = (await byToken('GET', operatorPaths.operators)).json() as {
          operators: { id: string; role: string; email: string }[];
        };
        const owners = operators.filter(({ role }) => role === 'owner');
        expect(owners).toHaveLength(1);
        ownerId = owners[0]?.id ?? '';
        ownerEmail = owners[0]?.email ?? '';
      }
    await second.close();
    await enter();
  });

  step('a key is shown once, works, says when it was used, and is revoked', async () => {
    const before = await countEntries();
    const scopes = ['read', 'export'];
    const { id, key, call, read } = await makeKey(owner, 'nightly', { scopes });
    expect(key).toMatch(/^waitlist_key_[\w-]{43}$/);
    expect(await read()).toMatchObject({ hint: key.slice(0, 17), last_used_at: null });
    expect(await call(`${operatorPaths.exportMembers}?format=jsonl`)).toEqual(WORKS);
    expect((await read()).last_used_at).toMatch(/Z$/);
    expect(JSON.stringify(await read()).includes(key)).toBe(false);
    expect((await owner('DELETE', fillPath(operatorPaths.key, id))).statusCode).toBe(204);
    expect(await call()).toMatchObject({ 0: 401 });
    expect(
      (await entriesAfter(before)).filter(({ subject }) => subject?.kind === 'key'),
    ).toMatchObject([
      { summary: 'Made the API key "nightly", which may read, export.', reason: null },
      { summary: 'Revoked the API key "nightly".', subject: { kind: 'key', id } },
    ]);
  });

  step('a key works only while whoever made it is an owner', async () => {
    const sam = await signInOwner('Sam');
    const key = await makeKey(sam.ask, 'hourly');
    expect(await key.call()).toEqual(WORKS);
    await setRole(sam.id, 'viewer');
    expect((await lastEntry())?.summary).toBe('Made Sam a viewer. Suspended the API key "hourly".');
    const detail = 'This API key has ended: whoever made it is no owner any more.';
    expect(await key.call()).toEqual([401, detail]);
    expect(await key.read()).toMatchObject({ state: 'suspended', created_by_id: sam.id });
    await setRole(sam.id, 'owner');
    expect(await key.call()).toEqual(WORKS);
  });

  step('the keys of a removed operator are revoked with them, and no other one', async () => {
    const kim = await signInOwner('Kim');
    const keys = [await makeKey(kim.ask, 'shop'), await makeKey(kim.ask, 'report')];
    const others = [await makeKey(owner, 'mine'), await makeKey(byToken, 'rooted')];
    expect((await remove(kim.id)).statusCode).toBe(204);
    expect((await lastEntry())?.summary).toBe(
      'Removed the operator Kim. Revoked the API keys "shop", "report".',
    );
    for (const key of keys)
      expect([(await key.call())[0], await key.read()]).toEqual([401, undefined]);
    for (const key of others) expect(await key.call()).toEqual(WORKS);
  });

  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  step('a key may have an end, after which it says so', async () => {
    const key = await makeKey(owner, 'season', { ends_at: inDays(30) });
    expect(await key.call()).toEqual(WORKS);
    expect(await key.read()).toMatchObject({ state: 'active', last_used_at: expect.any(String) });
    const day = inDays(2).slice(0, 10);
    const byDay = await makeKey(owner, 'by day', { ends_at: day });
    expect(await byDay.read()).toMatchObject({ ends_at: `${day}T00:00:00.000Z` });
    await app.sql(`update api_key set ends_at = now() where name = 'season'`);
    expect(await key.call()).toEqual([401, 'This API key has ended. Ask an owner for a new one.']);
    expect(await key.read()).toMatchObject({ state: 'ended' });
  });

  test.each([
    [{ ends_at: inDays(-1) }, 'The end of a key must lie in the future.'],
    [{ ends_at: 'tomorrow' }, expect.stringContaining('must be a day such as')],
    [{ ends_at: '2030-01-01T10:00' }, expect.stringContaining('a time with its zone')],
    [{ scopes: [] }, expect.any(String)],
    [{ scopes: ['owner'] }, expect.any(String)],
    [{ scopes: ['read', 'read'] }, expect.any(String)],
    [{ scopes: ['self'] }, expect.any(String)],
  ])('a key with %j is not made', async (more, detail) => {
    const body = { name: 'never', scopes: ['read'], ...more };
    const answer = await byToken('POST', operatorPaths.keys, body);
    expect([answer.statusCode, answer.json().detail]).toEqual([422, detail]);
  });

  step('ending all sessions of an operator ends the links that they have not used', async () => {
    const before = await makeLink(app, ownerEmail);
    expect((await endSessions(ownerId)).statusCode).toBe(204);
    expect(await openLink(before)).toBe(401);
    expect(await openLink(await makeLink(app, ownerEmail))).toBe(200);
  });

  step('a webhook that is tested by hand needs no reason', async () => {
    const url = 'https://receiver.invalid/';
    const wanted = { url, events: ['member.left'], reason: 'a test' };
    const added = await byToken('POST', operatorPaths.webhooks, wanted);
    const before = await countEntries();
    await byToken('POST', fillPath(operatorPaths.testWebhook, added.json().id));
    expect(await entriesAfter(before)).toMatchObject([
      { summary: 'Sent a test event.', reason: null },
    ]);
  });

  step('the chain is whole with entries that have no reason', async () => {
    const { entries, difference } = await verifyAudit(app.database);
    expect(difference).toBeNull();
    expect(entries).toBeGreaterThan(10);
  });
});

describe('the operator token', () => {
  const app = provideApp('postgres');

  test('is nobody with sessions or passkeys, and invites an owner first', async () => {
    const { ask, post } = app;
    expect(await app.read(operatorPaths.me)).toMatchObject({
      kind: 'token',
      role: 'owner',
      session: null,
    });
    expect((await ask('GET', operatorPaths.sessions)).statusCode).toBe(403);
    expect((await ask('POST', operatorPaths.newPasskey)).statusCode).toBe(403);
    expect(await post(operatorPaths.operators, { ...OWNER, role: 'viewer' })).toMatchObject({
      detail: 'The first operator must be an owner.',
    });
  });
});
