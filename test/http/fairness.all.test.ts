/** What a server with defaults holds and credits. */
import { afterEach, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, pagePaths } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { deleteOldTraces } from '../../server/fairness/traces/trace-store.ts';
import { oneEngine } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const DEFAULTS = { isLimiting: true, trustProxy: ['127.0.0.1'] };
const OPERATOR = { authorization: `Bearer ${OPERATOR_TOKEN}` };
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
    url: apiPaths.join,
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
    await joinAll(many(40, (n) => ({ email: `me+${n}@gmail.com`, ip: `198.51.${n}.7` }), code));
    await join({ email: 'm.e@googlemail.com', ip: '192.0.2.1', code });
    expect(await creditsOf(id)).toEqual({ held: 41 });
    expect(await rulesOf('m.e@googlemail.com')).toContain('own-mailbox');
  });

  test('addresses that can get no mail bring no credit', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id, referral_code: code } = await join(owner);
    const made = many(40, (n) => ({ email: `bot${n}@x.invalid`, ip: '198.51.100.7' }), code);
    await joinAll(made);
    expect(await creditsOf(id)).toEqual({ held: 40 });
  });

  test('300 friends from 20 networks of one are held', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id, referral_code: code } = await join(owner);
    await joinAll(
      many(
        300,
        (n) => ({
          email: `${nameOf(n)}.${Math.floor(n / 64)}@mail.example.com`,
          ip: `2001:db8:7:${(n % 20).toString(16)}::${(n + 1).toString(16)}`,
        }),
        code,
      ),
    );
    expect((await creditsOf(id)).held).toBeGreaterThanOrEqual(200);
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
    await joinAll(many(150, fan, creator.referral_code));
    expect(await creditsOf(host.id)).toEqual({ given: 40 });
    expect(await creditsOf(other.id)).toEqual({ given: 60 });
    expect(await creditsOf(creator.id)).toEqual({ given: 150 });
  });

  test('what was remembered is known after a restart and on another server', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { referral_code: code } = await join(owner);
    await joinAll(many(20, (n) => ({ email: `ada${n}@web.de`, ip: `198.51.${n}.7` }), code));
    await app.flushCounters();
    const another = await app.openAnother();
    others.push(another);
    // Begins after it has read the traces.
    await another.flushCounters();
    const email = 'ada101@web.de';
    await join({ email, ip: '198.52.101.7', code }, another);
    expect(await rulesOf(email)).toContain('address-series');
    const alias = 'me+again@gmail.com';
    await join({ email: alias, ip: '192.0.2.1', code }, another);
    expect(await rulesOf(alias)).toContain('own-mailbox');
  });

  test('the mailbox that invited is known when the trace of its join is gone', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id, referral_code: code } = await join(owner);
    await app.flushCounters();
    await app.database.runSql('delete from join_trace');
    const later = await app.openAnother();
    others.push(later);
    await join({ email: 'm.e+2@googlemail.com', ip: '192.0.2.1', code }, later);
    await join({ email: 'mel@gmail.com', ip: '192.0.2.2', code }, later);
    await join({ email: 'me@example.com', ip: '192.0.2.3', code }, later);
    expect(await creditsOf(id)).toEqual({ held: 1, given: 2 });
    expect(await rulesOf('m.e+2@googlemail.com')).toEqual(['own-mailbox']);
  });

  test('a trusted network speaks against nobody', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id, referral_code: code } = await join(owner);
    const colleague = (n: number) => ({ email: `${nameOf(n)}@proton.me`, ip: owner.ip });
    for (const friend of many(10, colleague, code)) await join(friend);
    expect(await rulesOf(colleague(9).email)).toContain('same-network');
    await app.flushCounters();
    const trusted = await app.fastify.inject({
      method: 'POST',
      url: operatorPaths.changes,
      headers: OPERATOR,
      payload: { kind: 'trust-network', input: { member_id: id }, reason: 'an office' },
    });
    expect(trusted.statusCode, trusted.body).toBe(201);
    let number = 9;
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

  test('a network stays trusted under new keys, until it no longer is', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const call = (url: string, payload: object) =>
      app.fastify.inject({ method: 'POST', url, headers: OPERATOR, payload });
    const { id, referral_code: code } = await join(owner);
    await app.flushCounters();
    const input = { member_id: id };
    const trust = await call(operatorPaths.changes, {
      ...{ kind: 'trust-network', input },
      reason: 'an office',
    });
    expect(trust.statusCode, trust.body).toBe(201);
    const colleague = (n: number) => ({ email: `${nameOf(n)}@web.de`, ip: owner.ip });
    /** The key is so old that a new one is made; joins then, and all that is due to be deleted. */
    async function restart(days: number, from: number): Promise<void> {
      await app.database.runSql(
        `update trace_key set created_at = created_at - interval '${days} days'`,
      );
      const next = await app.openAnother();
      others.push(next);
      for (const friend of many(8, (n) => colleague(from + n), code)) await join(friend, next);
      expect(await rulesOf(colleague(from + 7).email)).toEqual([]);
      await next.flushCounters();
      await deleteOldTraces(app.database);
    }
    await restart(31, 0);
    await restart(31, 8);
    await restart(0, 16);
    const networks = async () =>
      (await app.database.runSql('select key_id from trusted_network order by 1')).rows;
    expect(await networks()).toEqual([{ key_id: 2 }, { key_id: 3 }]);
    const friend = await app.database.kysely
      .selectFrom('member')
      .select('id')
      .where('email', '=', colleague(16).email)
      .executeTakeFirstOrThrow();
    const distrust = await call(operatorPaths.changes, {
      ...{ kind: 'distrust-network', input: { member_id: friend.id } },
      reason: 'no office',
    });
    expect(distrust.statusCode, distrust.body).toBe(201);
    expect(await networks()).toEqual([]);
  });

  test('a form that is sent without its page is noticed where others open theirs', async () => {
    app = await openTestApp(engine, DEFAULTS);
    for (let n = 0; n < 60; n += 1) {
      const ip = `${60 + n}.1.1.1`;
      await app.fastify.inject({ url: pagePaths.landing, headers: { 'x-forwarded-for': ip } });
      await join({ email: `${nameOf(n)}@gmail.com`, ip, code: null });
    }
    const { referral_code: code } = await join(owner);
    await join({ email: 'script@mailinator.com', ip: '192.0.2.77', code });
    expect(await rulesOf('script@mailinator.com')).toEqual(['disposable', 'no-page']);
  });
});
