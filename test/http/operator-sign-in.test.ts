/** Entering the console by link, mail and cookie. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths, UNATTENDED_HEADER } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { deleteEnded } from '../../server/access/secret-store.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { readKeptMail } from './mail-links.ts';
import {
  askWith,
  asToken,
  cookieOf,
  fromConsole,
  makeLink,
  OWNER,
  signIn,
} from './operator-sessions.ts';
import { openTestApp, type TestApp } from './test-app.ts';

describe.each(oneEngine)('signing in on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(() => app.remove());

  const ask = () => askWith(app, {});
  const sql = (text: string, values: unknown[] = []) => app.database.runSql(text, values);
  const open = (token: string, owner?: typeof OWNER) =>
    ask()('POST', operatorPaths.signIn, { token, ...(owner && { owner }) });
  const sessionOf = (cookie: string) => askWith(app, fromConsole(cookie))('GET', operatorPaths.me);

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
    expect((await askWith(app, asToken)('GET', operatorPaths.operators)).json()).toMatchObject({
      operators: [{ ...OWNER, role: 'owner', passkeys: 0 }],
    });
  });

  step('a link works once, however many use it at the same moment', async () => {
    const token = await makeLink(app, OWNER.email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(token)));
    const statuses = answers.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([200, ...Array(9).fill(401)]);
  });

  step('a GET of a link changes nothing', async () => {
    const token = await makeLink(app, OWNER.email);
    await ask()('GET', operatorPaths.signIn);
    await ask()('GET', `/console/sign-in?token=${token}`);
    expect((await open(token)).statusCode).toBe(200);
  });

  step('a link that is 15 minutes old is refused', async () => {
    const token = await makeLink(app, OWNER.email);
    await sql(`update one_time_secret set expires_at = expires_at - interval '15 minutes'`);
    expect((await open(token)).json().detail).toContain('too old');
    await deleteEnded(app.database);
    expect((await sql('select from one_time_secret')).rows).toEqual([]);
  });

  test.each(['', 'x', 'a'.repeat(43), "'; drop table operator; --"])(
    '%j opens nothing',
    async (token) => {
      expect([401, 422]).toContain((await open(token)).statusCode);
    },
  );

  step('a session shows its operator, and ends by signing out', async () => {
    const cookie = await signIn(app, OWNER.email);
    expect((await sessionOf(cookie)).json()).toMatchObject({
      kind: 'operator',
      name: OWNER.name,
      role: 'owner',
      session: { operator: OWNER },
      passkey_origin: 'https://line.example.com',
      may_be_copy: null,
    });
    const left = await askWith(app, fromConsole(cookie))('DELETE', operatorPaths.session);
    expect(left.statusCode).toBe(204);
    expect(String(left.headers['set-cookie'])).toContain('Max-Age=0');
    expect((await sessionOf(cookie)).statusCode).toBe(401);
  });

  step('signing in again replaces the session of the browser', async () => {
    const before = await signIn(app, OWNER.email);
    const token = await makeLink(app, OWNER.email);
    const answer = await askWith(app, fromConsole(before))('POST', operatorPaths.signIn, { token });
    expect(cookieOf(answer)).not.toBe(before);
    expect((await sessionOf(before)).statusCode).toBe(401);
    expect((await sessionOf(cookieOf(answer))).statusCode).toBe(200);
  });

  for (const [when, column, age, status] of [
    ['after 30 minutes without use', 'last_used_at', '30 minutes', 401],
    ['not after 29 minutes', 'last_used_at', '29 minutes', 200],
    ['after 12 hours, used or not', 'created_at', '12 hours', 401],
    ['not after 11 hours of use', 'created_at', '11 hours', 200],
  ] as const)
    step(`a session ends ${when}`, async () => {
      const cookie = await signIn(app, OWNER.email);
      await sql(`update operator_session set ${column} = clock_timestamp() - interval '${age}'`);
      expect((await sessionOf(cookie)).statusCode).toBe(status);
    });

  step('an unattended page that polls keeps no session open', async () => {
    const cookie = await signIn(app, OWNER.email);
    const headers = { ...fromConsole(cookie), [UNATTENDED_HEADER]: 'true' };
    const poll = async () =>
      (await askWith(app, headers)('GET', operatorPaths.overview)).statusCode;
    for (const [minutes, status] of [
      [29, 200],
      [2, 401],
    ]) {
      await sql(`update operator_session
        set last_used_at = last_used_at - interval '${minutes} minutes'`);
      expect(await poll()).toBe(status);
    }
    expect((await sessionOf(cookie)).statusCode).toBe(401);
  });

  step('use keeps a session open', async () => {
    const cookie = await signIn(app, OWNER.email);
    const idle = `update operator_session set last_used_at = last_used_at - interval '29 minutes'`;
    for (let time = 0; time < 3; time++) {
      await sql(idle);
      expect((await sessionOf(cookie)).statusCode).toBe(200);
    }
  });

  step('sessions are listed with their device, and ended one by one', async () => {
    await sql('delete from operator_session');
    const own = await signIn(app, OWNER.email);
    const other = await signIn(app, OWNER.email);
    await signIn(app, OWNER.email);
    await sql(`update operator_session set last_used_at = now() - interval '31 minutes'
      where id = (select id from operator_session order by created_at desc limit 1)`);
    const console = askWith(app, fromConsole(own));
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
    const cookie = await signIn(app, OWNER.email);
    const key = (
      await askWith(app, asToken)('POST', operatorPaths.keys, { name: 'x', scopes: ['read'] })
    ).json().key;
    const tables = ['one_time_secret', 'operator_session', 'api_key'];
    const dumps = await Promise.all(
      tables.map(async (table) => JSON.stringify((await sql(`select * from ${table}`)).rows)),
    );
    for (const secret of [token, cookie.split('=')[1] ?? '?', key])
      expect(dumps.join().includes(secret)).toBe(false);
  });
});

test('sign-ins are throttled by address, and mails by operator', async () => {
  const app = await openTestApp('postgres', { isLimiting: true, trustProxy: ['127.0.0.1'] });
  const ask = async (url: string, payload: object, ip: string) =>
    (await askWith(app, { 'x-forwarded-for': ip })('POST', url, payload)).statusCode;
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
  await app.remove();
});
