/** What the sweep holds when more is known than at the join, and what it leaves. */
import { afterEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { verifyAudit } from '../../server/changes/audit/verify-audit.ts';
import { sweepCredits } from '../../server/fairness/sweep/sweep-credits.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { oneEngine } from '../support/engines.ts';
import { moveClock } from '../support/moved-clock.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const DEFAULTS = { isLimiting: true, trustProxy: ['127.0.0.1'] };
const DAY_MS = 86_400_000;
const OWNER = { email: 'me@gmail.com', ip: '203.0.113.9', code: null };

let app: TestApp;
const others: App[] = [];
afterEach(async () => {
  moveClock(0);
  for (const other of others.splice(0)) await other.close();
  await app.remove();
});

type Friend = { readonly email: string; readonly ip: string; readonly code: string | null };

async function join({ email, ip, code }: Friend, by: Pick<App, 'fastify'> = app) {
  const answer = await by.fastify.inject({
    method: 'POST',
    url: apiPaths.join,
    headers: { 'x-forwarded-for': ip },
    payload: { email, referred_by: code },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json() as { id: string; referral_code: string };
}

/** Addresses of one pattern, one from each network: the first ones stand alone. */
async function joinPattern(code: string, count: number, by: Pick<App, 'fastify'> = app) {
  const ids: string[] = [];
  for (let n = 1; n <= count; n += 1)
    ids.push((await join({ email: `ada${n}@web.de`, ip: `198.51.${n}.7`, code }, by)).id);
  return ids;
}

/** As if everybody had joined a minute ago: only then the sweep looks at them. */
async function letSettle(): Promise<void> {
  await app.flushCounters();
  await app.database.runSql("update member set joined_at = joined_at - interval '1 minute'");
}

async function sweep(on: Pick<App, 'scheduledWork'> = app): Promise<void> {
  await on.scheduledWork.find(({ name }) => name === 're-evaluating credits')?.run();
}

async function creditsOf(memberId: string): Promise<Record<string, number>> {
  const { rows } = await app.database.runSql(
    `select credit, count(*)::integer as friends from member
     where referrer_id = '${memberId}' group by credit`,
  );
  return Object.fromEntries(
    (rows as { credit: string; friends: number }[]).map(({ credit, friends }) => [credit, friends]),
  );
}

const change = (payload: object) =>
  app.fastify.inject({
    method: 'POST',
    url: operatorPaths.changes,
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    payload,
  });

async function entriesOfSweep() {
  const entries = await app.database.kysely
    .selectFrom('audit_entry')
    .selectAll()
    .where('actor_name', '=', 'sweep')
    .orderBy('sequence')
    .execute();
  return entries.map(({ details, ...entry }) => ({
    ...entry,
    details: details as { readonly code: string; readonly credits: number },
  }));
}

async function expectWhole(): Promise<void> {
  expect((await verifyLine(app.database, brand)).differences).toEqual([]);
  expect((await verifyAudit(app.database)).difference).toBeNull();
}

describe.each(oneEngine)('the sweep on %s', (engine) => {
  test('finds one friend a day of one pattern, and says so once', async () => {
    app = await openTestApp(engine, DEFAULTS);
    moveClock(-20 * DAY_MS);
    const { id, referral_code: code } = await join(OWNER);
    for (let day = 1; day < 20; day += 1) {
      moveClock((day - 20) * DAY_MS);
      await join({ email: `ada${day}@web.de`, ip: `198.51.${day}.7`, code });
    }
    moveClock(0);
    const { given = 0 } = await creditsOf(id);
    expect(given).toBeGreaterThanOrEqual(5);
    await sweep();
    await letSettle();
    await sweep();
    await sweep();
    expect(await creditsOf(id)).toEqual({ held: 19 });
    const [entry, ...more] = await entriesOfSweep();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      actor_kind: 'system',
      action: 'decide-credits',
      details: { code, credits: given, found: expect.arrayContaining(['address-series']) },
    });
    expect(JSON.stringify(entry)).not.toContain('web.de');
    const cases = await app.database.kysely.selectFrom('credit_case').selectAll().execute();
    expect(cases.filter(({ decided_by: by }) => by === 'sweep')).toHaveLength(given);
    for (const { rules, score } of cases)
      expect([rules, score >= brand.fairness.holdAt]).toEqual([
        expect.arrayContaining(['address-series']),
        true,
      ]);
    await expectWhole();
  });

  test('leaves what an operator decided, before the sweep and after', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id, referral_code: code } = await join(OWNER);
    const [first = '', second = '', third = ''] = await joinPattern(code, 12);
    const decide = (state: string, memberId: string) =>
      change({
        kind: 'decide-credits',
        input: { state, member_ids: [memberId], again: true },
        reason: 'I know them',
      });
    expect((await decide('given', first)).statusCode).toBe(201);
    expect((await decide('refused', second)).statusCode).toBe(201);
    await letSettle();
    await sweep();
    expect(await creditsOf(id)).toEqual({ given: 1, refused: 1, held: 10 });
    expect((await decide('given', third)).statusCode).toBe(201);
    await join({ email: 'ada99@web.de', ip: '198.51.99.7', code });
    await letSettle();
    await sweep();
    expect(await creditsOf(id)).toEqual({ given: 2, refused: 1, held: 10 });
    expect(await entriesOfSweep()).toHaveLength(1);
    await expectWhole();
  });

  test('uses the traces of another server', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const { id, referral_code: code } = await join(OWNER);
    await joinPattern(code, 12);
    await letSettle();
    const another = await app.openAnother();
    others.push(another);
    // Begins after it has read the traces.
    await another.flushCounters();
    await sweep(another);
    expect(await creditsOf(id)).toEqual({ held: 12 });
    await expectWhole();
  });

  test('finds a code without new friends when other joins make it suspicious', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const owners = [];
    for (const name of ['ora', 'pia', 'rio', 'sam'])
      owners.push(await join({ email: `${name}@gmail.com`, ip: '203.0.113.9', code: null }));
    const [first] = owners;
    // Four friends of each, from two networks that all of them share.
    let friends = 0;
    async function bringFour({ referral_code: code }: { referral_code: string }): Promise<void> {
      for (let n = 0; n < 4; n += 1) {
        friends += 1;
        await join({ email: `ada${friends}@web.de`, ip: `198.51.${n % 2}.7`, code });
      }
    }
    for (const [index, owner] of owners.entries()) {
      await bringFour(owner);
      await letSettle();
      await sweep();
      if (index === 0) expect(await creditsOf(first?.id ?? '')).toEqual({ given: 4 });
    }
    expect(await creditsOf(first?.id ?? '')).toEqual({ held: 4 });
    await expectWhole();
  });

  test('leaves friends from a network that an operator trusts', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const trusted = await join(OWNER);
    const other = await join({ ...OWNER, email: 'you@gmail.com', ip: '203.0.114.9' });
    const names = ['anna', 'ben', 'clara', 'david', 'emma', 'felix', 'gina', 'hugo', 'ida'];
    // At a domain of their own, all of them in one room: enough to fraud signals them.
    for (const name of names) {
      await join({ email: `${name}@one.example`, ip: OWNER.ip, code: trusted.referral_code });
      await join({ email: `${name}@two.example`, ip: '203.0.114.9', code: other.referral_code });
    }
    const given = (await creditsOf(trusted.id)).given ?? 0;
    expect(given).toBeGreaterThan(0);
    await letSettle();
    const trust = { kind: 'trust-network', input: { member_id: trusted.id }, reason: 'an office' };
    expect((await change(trust)).statusCode).toBe(201);
    // A server that reads the trusted networks at its start.
    const later = await app.openAnother();
    others.push(later);
    await later.flushCounters();
    await sweep(later);
    expect(await creditsOf(other.id)).toEqual({ held: names.length });
    expect((await creditsOf(trusted.id)).given).toBeGreaterThanOrEqual(given);
  });
});

describe.each(oneEngine)('sweeps at once on %s', (engine) => {
  const everybody = {
    isReady: () => true,
    reEvaluate: () => ({ rules: ['address-pattern'], score: 100 }),
  };
  const options = () => ({
    database: app.database,
    brand,
    referralCredit: 'join' as const,
    fairness: everybody,
    maxMs: 60_000,
  });

  test('hold each credit once, with one entry for each code', async () => {
    app = await openTestApp(engine);
    const members: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { id, referral_code: code } = await app.join(`m${index}@example.com`);
      members.push(id);
      for (let n = 0; n < 6; n += 1) await app.join(`f${index}.${n}@example.com`, code);
    }
    await letSettle();
    await Promise.all([1, 2, 3].map(() => sweepCredits(options())));
    for (const id of members) expect(await creditsOf(id)).toEqual({ held: 6 });
    const entries = await entriesOfSweep();
    expect(entries).toHaveLength(5);
    expect(new Set(entries.map(({ details }) => details.code)).size).toBe(5);
    await expectWhole();
  });

  test('hold at most 500 credits in a transaction', async () => {
    app = await openTestApp(engine);
    const { id, referral_code: code } = await app.join('star@example.com');
    for (let n = 0; n < 1_200; n += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, each) => app.join(`f${n + each}@example.com`, code)),
      );
    await letSettle();
    // The newest friends of the code first; a pass over all members finds the others.
    await app.database.runSql('insert into join_trace select id, 1, 1, 0, 0, 0, 0 from member');
    await sweepCredits(options());
    expect(await creditsOf(id)).toEqual({ held: 1_200 });
    const credits = (await entriesOfSweep()).map(({ details }) => details.credits);
    expect(credits).toEqual([256, 500, 444]);
    await expectWhole();
  });
});
