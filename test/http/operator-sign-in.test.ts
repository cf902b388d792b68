/** Entering the console by link, mail, cookie and passkey. */
import { beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths, UNATTENDED_HEADER } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { deleteEnded } from '../../server/access/secret-store.ts';
import { ALGORITHMS, createPasskey } from '../support/authenticator.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { readKeptMail } from './mail-links.ts';
import {
  askWith,
  cookieOf,
  fromConsole,
  makeLink,
  OWNER,
  signIn,
  signInAs,
} from './operator-sessions.ts';
import { provideApp } from './provide-app.ts';

describe.each(oneEngine)('signing in on %s', (engine) => {
  const app = provideApp(engine);
  const { sql } = app;
  const ask = () => askWith(app, {});
  const open = (token: string, owner?: typeof OWNER) =>
    ask()('POST', operatorPaths.signIn, { token, ...(owner && { owner }) });
  const consoleOf = (cookie: string) => askWith(app, fromConsole(cookie));
  const sessionOf = (cookie: string) => consoleOf(cookie)('GET', operatorPaths.me);
  const enter = () => signIn(app, OWNER.email);
  /** Sets back when all sessions were used last, or began. */
  const age = (minutes: number, column = 'last_used_at') =>
    sql(`update operator_session set ${column} = ${column} - interval '${minutes} minutes'`);

  const step = tellStory('goes through one step after the other');

  step('the first link makes an owner, who gives a name; no other one does after', async () => {
    const [first, second] = [await makeLink(app), await makeLink(app)];
    const opened = await open(first);
    expect(opened.json()).toEqual({ operator: null, needs_owner: true });
    expect(opened.headers['set-cookie']).toBeUndefined();
    for (const wrong of [
      { name: ' ', email: OWNER.email },
      { name: 'Ada', email: 'nobody' },
    ])
      expect((await open(first, wrong)).statusCode).toBe(422);
    const entered = await open(first, OWNER);
    expect(entered.json().operator).toMatchObject({ ...OWNER, role: 'owner' });
    expect(String(entered.headers['set-cookie'])).toMatch(
      /^__Host-waitlist_operator=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Sec/,
    );
    for (const late of [first, second])
      expect((await open(late, { name: 'Eve', email: 'eve@example.com' })).statusCode).toBe(401);
    expect(await app.read(operatorPaths.operators)).toMatchObject({
      operators: [{ ...OWNER, role: 'owner', passkeys: 0 }],
    });
  });

  step('a link works once, however many use it at the same moment, and by no GET', async () => {
    const token = await makeLink(app, OWNER.email);
    expect((await open('a'.repeat(43))).statusCode).toBe(401);
    await ask()('GET', operatorPaths.signIn);
    await ask()('GET', `/console/sign-in?token=${token}`);
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(token)));
    const statuses = answers.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([200, ...Array(9).fill(401)]);
  });

  step('a link that is 15 minutes old is refused', async () => {
    const token = await makeLink(app, OWNER.email);
    await sql(`update one_time_secret set expires_at = expires_at - interval '15 minutes'`);
    expect((await open(token)).json().detail).toContain('too old');
    await deleteEnded(app.database);
    expect(await sql('select from one_time_secret')).toEqual([]);
  });

  step('a session shows its operator, and ends by signing out', async () => {
    const cookie = await enter();
    expect((await sessionOf(cookie)).json()).toMatchObject({
      kind: 'operator',
      name: OWNER.name,
      role: 'owner',
      session: { operator: OWNER },
      passkey_origin: 'https://line.example.com',
      may_be_copy: null,
    });
    const left = await consoleOf(cookie)('DELETE', operatorPaths.session);
    expect(left.statusCode).toBe(204);
    expect(String(left.headers['set-cookie'])).toContain('Max-Age=0');
    expect((await sessionOf(cookie)).statusCode).toBe(401);
  });

  step('signing in again replaces the session of the browser', async () => {
    const before = await enter();
    const token = await makeLink(app, OWNER.email);
    const answer = await consoleOf(before)('POST', operatorPaths.signIn, { token });
    expect(cookieOf(answer)).not.toBe(before);
    expect((await sessionOf(before)).statusCode).toBe(401);
    expect((await sessionOf(cookieOf(answer))).statusCode).toBe(200);
  });

  step('a session ends after 30 minutes without use, and after 12 hours', async () => {
    for (const [column, minutes, status] of [
      ['last_used_at', 30, 401],
      ['last_used_at', 29, 200],
      ['created_at', 12 * 60, 401],
      ['created_at', 11 * 60, 200],
    ] as const) {
      const cookie = await enter();
      await age(minutes, column);
      expect([column, minutes, (await sessionOf(cookie)).statusCode]).toEqual([
        column,
        minutes,
        status,
      ]);
    }
  });

  step('use keeps a session open, an unattended page that polls does not', async () => {
    const cookie = await enter();
    for (let time = 0; time < 3; time++) {
      await age(29);
      expect((await sessionOf(cookie)).statusCode).toBe(200);
    }
    const headers = { ...fromConsole(cookie), [UNATTENDED_HEADER]: 'true' };
    for (const [minutes, status] of [
      [29, 200],
      [2, 401],
    ] as const) {
      await age(minutes);
      expect((await app.get(operatorPaths.overview, headers)).statusCode).toBe(status);
    }
    expect((await sessionOf(cookie)).statusCode).toBe(401);
  });

  step('sessions are listed with their device, and ended one by one', async () => {
    await sql('delete from operator_session');
    const [own, other] = [await enter(), await enter()];
    await enter();
    await sql(`update operator_session set last_used_at = now() - interval '31 minutes'
      where id = (select id from operator_session order by created_at desc limit 1)`);
    const console = consoleOf(own);
    const { sessions } = (await console('GET', operatorPaths.sessions)).json();
    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toMatchObject({
      device: 'Unknown device',
      last_used_at: expect.stringMatching(/Z$/),
    });
    const isOther = (session: { is_current: boolean }) => !session.is_current;
    const path = fillPath(operatorPaths.oneSession, sessions.find(isOther).id);
    expect((await console('DELETE', path)).statusCode).toBe(204);
    expect((await console('DELETE', path)).statusCode).toBe(404);
    expect((await sessionOf(other)).statusCode).toBe(401);
    expect((await sessionOf(own)).statusCode).toBe(200);
  });

  step('a link is mailed to an operator, and the answer is the same to a stranger', async () => {
    const ofMail = (email: string) => ask()('POST', operatorPaths.signInMail, { email });
    const stranger = await ofMail('stranger@example.com');
    const known = await ofMail('ADA@example.com');
    expect([known.statusCode, known.payload]).toEqual([202, '{}']);
    expect([stranger.statusCode, stranger.payload]).toEqual([202, '{}']);
    const readMails = () => readKeptMail(app, 'operator');
    await expect.poll(() => readMails().length).toBe(1);
    const [mail = ''] = readMails();
    expect(mail).toContain('To: ada@example.com');
    const token = /sign-in#([\w-]{43})/.exec(mail)?.[1] ?? '';
    expect((await open(token)).json().operator.name).toBe('Ada');
  });

  step('no secret is stored, only hashes', async () => {
    const token = await makeLink(app, OWNER.email);
    const cookie = await enter();
    const { key } = await app.post(operatorPaths.keys, { name: 'x', scopes: ['read'] });
    const tables = ['one_time_secret', 'operator_session', 'api_key'];
    const rows = await Promise.all(tables.map((table) => sql(`select * from ${table}`)));
    for (const secret of [token, cookie.split('=')[1] ?? '?', key])
      expect(JSON.stringify(rows).includes(secret)).toBe(false);
  });
});

describe('passkeys', () => {
  const app = provideApp('postgres', { isLimiting: true });
  const algorithms = Object.keys(ALGORITHMS) as (keyof typeof ALGORITHMS)[];
  const ORIGIN = 'https://line.example.com';
  beforeAll(async () => void (await signIn(app)));

  const ownerOf = async () => askWith(app, fromConsole(await signIn(app, OWNER.email)));
  async function addPasskey(algorithm: keyof typeof ALGORITHMS) {
    const owner = await ownerOf();
    const passkey = createPasskey(algorithm, ORIGIN);
    const credential = passkey.register((await owner('POST', operatorPaths.newPasskey)).json());
    const added = await owner('POST', operatorPaths.passkeys, { name: algorithm, credential });
    expect(added.statusCode).toBe(201);
    return passkey;
  }
  const challenge = () => app.post(operatorPaths.passkeyChallenge, {}, {});
  const enter = (credential: object) => app.post(operatorPaths.passkeySignIn, { credential }, {});

  test.each(algorithms)('of %s sign in again and again, each signature once', async (algorithm) => {
    const passkey = await addPasskey(algorithm);
    const operator = { email: OWNER.email };
    expect(await enter(passkey.signIn(await challenge()))).toMatchObject({ operator });
    const used = passkey.signIn(await challenge());
    expect(await enter(used)).toMatchObject({ status: 200, operator });
    expect(await enter(used)).toMatchObject({ status: 401 });
    const options = await challenge();
    let foreign: Buffer = Buffer.of();
    createPasskey(algorithm, ORIGIN).signIn(options, (signature) => {
      foreign = signature;
      return signature;
    });
    expect(await enter(passkey.signIn(options, () => foreign))).toMatchObject({ status: 401 });
  });

  test('with a signature that cannot be read are no wrong secret', async () => {
    const passkey = await addPasskey('ES256');
    for (let time = 0; time < 12; time += 1) {
      const unreadable = passkey.signIn(await challenge(), () => Buffer.from('unreadable'));
      expect(await enter(unreadable)).toMatchObject({ status: 409 });
    }
    expect(await enter(passkey.signIn(await challenge()))).toMatchObject({ status: 200 });
  });

  test('are seen, renamed and removed by their own operator alone', async () => {
    await addPasskey('ES256');
    const owner = await ownerOf();
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
});

describe('sign-ins', () => {
  const app = provideApp('postgres', { isLimiting: true, trustProxy: ['127.0.0.1'] });

  test('are throttled by address, and mails by operator', async () => {
    const ask = async (url: string, payload: object, ip: string) =>
      (await app.post(url, payload, { 'x-forwarded-for': ip })).status;
    const mail = (email: string, ip: string) => ask(operatorPaths.signInMail, { email }, ip);
    const mails: number[] = [];
    for (let count = 0; count < 7; count++)
      mails.push(await mail('nobody@example.com', `192.0.2.${count}`));
    expect(mails).toEqual([202, 202, 202, 202, 202, 429, 429]);
    expect(await mail('else@example.com', '192.0.2.0')).toBe(202);
    const links: number[] = [];
    for (let count = 0; count < 12; count++)
      links.push(await ask(operatorPaths.signIn, { token: `wrong${count}` }, '198.51.100.1'));
    expect(links).toEqual([...Array(10).fill(401), 429, 429]);
  });
});
