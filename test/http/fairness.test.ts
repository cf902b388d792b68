/** What a server with defaults holds and credits, and what it keeps of where joins came from. */
import { afterEach, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, pagePaths } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { oneEngine } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const DEFAULTS = { isLimiting: true, trustProxy: ['127.0.0.1'] };
const AT_ONCE = 25;
const FIRST = ['anna', 'ben', 'clara', 'david', 'emma', 'felix', 'gina', 'hugo'];
const LAST = ['miller', 'weber', 'jones', 'lopez', 'garcia', 'novak', 'rossi', 'costa'];

let app: TestApp;
const others: App[] = [];
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
  await app.remove();
});

type Friend = { email: string; ip: string; code: string | null };

async function join(
  { email, ip, code }: Friend,
  by: Pick<App, 'fastify'> = app,
): Promise<{ id: string; referral_code: string }> {
  const answer = await by.fastify.inject({
    method: 'POST',
    url: apiPaths.join(),
    headers: { 'x-forwarded-for': ip },
    payload: { email, referred_by: code },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json();
}

async function joinAll(friends: readonly Friend[]): Promise<void> {
  // As many at once as a launch has: they meet in one batch of the line.
  for (let from = 0; from < friends.length; from += AT_ONCE)
    await Promise.all(friends.slice(from, from + AT_ONCE).map((friend) => join(friend)));
}

const many = (count: number, make: (number: number) => Omit<Friend, 'code'>, code: string) =>
  Array.from({ length: count }, (_, number) => ({ ...make(number), code }));

/** One of 64 names of people. */
const nameOf = (number: number) => `${FIRST[number % 8]}.${LAST[Math.floor(number / 8) % 8]}`;

async function creditsOf(memberId: string): Promise<Record<string, number>> {
  const rows = await app.database.kysely
    .selectFrom('member')
    .select(({ fn }) => ['credit', fn.countAll<number>().as('count')])
    .where('referrer_id', '=', memberId)
    .groupBy('credit')
    .execute();
  return Object.fromEntries(rows.map(({ credit, count }) => [credit, Number(count)]));
}

async function rulesOf(email: string): Promise<readonly string[]> {
  const row = await app.database.kysely
    .selectFrom('credit_case')
    .innerJoin('member', 'member.id', 'credit_case.member_id')
    .select('rules')
    .where('email', '=', email)
    .executeTakeFirst();
  return row?.rules ?? [];
}

describe.each(oneEngine)('on %s', (engine) => {
  const owner = { email: 'me@gmail.com', ip: '203.0.113.9', code: null };

  test('spellings of the mailbox that invited bring no credit', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id, referral_code: code } = await join(owner);
    await joinAll(many(100, (n) => ({ email: `me+${n}@gmail.com`, ip: `198.51.${n}.7` }), code));
    await join({ email: 'm.e@googlemail.com', ip: '192.0.2.1', code });
    expect(await creditsOf(id)).toEqual({ held: 101 });
    expect(await rulesOf('m.e@googlemail.com')).toContain('own-mailbox');
  });

  test('addresses that get no mail, from one network, bring five credits of 100', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id, referral_code: code } = await join(owner);
    const made = many(100, (n) => ({ email: `bot${n}@x.invalid`, ip: '198.51.100.7' }), code);
    await joinAll(made);
    expect((await creditsOf(id)).held).toBeGreaterThanOrEqual(95);
  });

  test('600 friends from 20 networks of one are held', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id, referral_code: code } = await join(owner);
    await joinAll(
      many(
        600,
        (n) => ({
          email: `${nameOf(n)}.${Math.floor(n / 64)}@mail.example.com`,
          ip: `2001:db8:7:${(n % 20).toString(16)}::${(n + 1).toString(16)}`,
        }),
        code,
      ),
    );
    expect((await creditsOf(id)).held).toBeGreaterThanOrEqual(500);
  });

  test('an office of 40, a meet-up of 60 and an audience are credited', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const host = await join(owner);
    const office = (n: number) => ({ email: `${nameOf(n)}@gmail.com`, ip: owner.ip });
    await joinAll(many(40, office, host.referral_code));
    const other = await join({ email: 'host@example.com', ip: '198.51.100.3', code: null });
    const hotel = (n: number) => ({ email: `${nameOf(n)}@web.de`, ip: '198.51.100.7' });
    await joinAll(many(60, hotel, other.referral_code));
    const creator = await join({ email: 'film@example.com', ip: '198.51.100.4', code: null });
    const fan = (n: number) => ({
      email: `${nameOf(n)}${10 + (n % 89)}@example.com`,
      ip: `${20 + (n % 90)}.${n % 250}.${(n * 7) % 250}.9`,
    });
    await joinAll(many(400, fan, creator.referral_code));
    expect(await creditsOf(host.id)).toEqual({ given: 40 });
    expect(await creditsOf(other.id)).toEqual({ given: 60 });
    expect(await creditsOf(creator.id)).toEqual({ given: 400 });
  });

  test('what was remembered is known after a restart and on another server', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { referral_code: code } = await join(owner);
    await joinAll(many(20, (n) => ({ email: `ada${n}@web.de`, ip: `198.51.${n}.7` }), code));
    await app.flushCounters();
    const another = await app.openAnother();
    others.push(another);
    let number = 100;
    await expect
      .poll(async () => {
        const email = `ada${++number}@web.de`;
        await join({ email, ip: `198.52.${number}.7`, code }, another);
        return rulesOf(email);
      })
      .toContain('address-series');
    const alias = 'me+again@gmail.com';
    await join({ email: alias, ip: '192.0.2.1', code }, another);
    expect(await rulesOf(alias)).toContain('own-mailbox');
  });

  test('a trusted network speaks against nobody', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id, referral_code: code } = await join(owner);
    const colleague = (n: number) => ({ email: `${nameOf(n)}@proton.me`, ip: owner.ip });
    for (const friend of many(8, colleague, code)) await join(friend);
    expect(await rulesOf(colleague(7).email)).toContain('same-network');
    await app.flushCounters();
    const trusted = await app.fastify.inject({
      method: 'POST',
      url: operatorPaths.changes,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      payload: { kind: 'trust-network', input: { member_id: id }, reason: 'an office' },
    });
    expect(trusted.statusCode, trusted.body).toBe(201);
    let number = 7;
    // Until the server has read it.
    await expect
      .poll(
        async () => {
          number += 1;
          const { email } = colleague(number);
          await join({ email, ip: owner.ip, code });
          return rulesOf(email);
        },
        { interval: 500 },
      )
      .toEqual([]);
  });

  test('a form that is sent without its page is noticed where others open theirs', async () => {
    app = await openTestApp(engine, DEFAULTS);
    for (let n = 0; n < 60; n += 1) {
      const ip = `${60 + n}.1.1.1`;
      await app.fastify.inject({ url: pagePaths.landing(), headers: { 'x-forwarded-for': ip } });
      await join({ email: `${nameOf(n)}@gmail.com`, ip, code: null });
    }
    const { referral_code: code } = await join(owner);
    await join({ email: 'script@example.com', ip: '192.0.2.77', code });
    expect(await rulesOf('script@example.com')).toEqual(['no-page']);
  });

  test('no table has the address of a network, or what a browser tells', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const agent = 'A browser that nobody else has/9.7';
    const ips = ['198.51.100.77', '2001:db8:77:1:2:3:4:5'];
    for (const [n, ip] of ips.entries())
      await app.fastify.inject({
        method: 'POST',
        url: apiPaths.join(),
        headers: { 'x-forwarded-for': ip, 'user-agent': agent, 'accept-language': 'xx-tongue' },
        payload: { email: `${nameOf(n)}@example.com` },
      });
    await app.flushCounters();
    const { rows } = await app.database.runSql(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    const tables = (rows as { name: string }[]).map(({ name }) => name);
    expect(tables).toContain('join_trace');
    let text = '';
    for (const name of tables) {
      const table = await app.database.runSql(
        `select coalesce(json_agg(one), '[]')::text as rows from ${name} one`,
      );
      text += (table.rows as { rows: string }[])[0]?.rows;
    }
    expect(text).toContain(`${nameOf(0)}@example.com`);
    const secrets = [...ips, '198.51.100', '2001:db8', agent, 'xx-tongue'];
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('a member who leaves leaves no trace', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id } = await join(owner);
    await app.flushCounters();
    const count = async () => {
      const { rows } = await app.database.runSql('select count(*)::integer as n from join_trace');
      return rows;
    };
    expect(await count()).toEqual([{ n: 1 }]);
    await app.database.kysely.deleteFrom('standing').where('member_id', '=', id).execute();
    await app.database.kysely.deleteFrom('member').where('id', '=', id).execute();
    expect(await count()).toEqual([{ n: 0 }]);
  });
});
