/** A member asks that somebody look at their held credits again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { ACTIONS } from '../../server/guard/limits/limit-rules.ts';
import { oneEngine } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const ask = (id: string, on: TestApp, remoteAddress = '127.0.0.1') =>
  on.fastify.inject({ method: 'POST', url: fillPath(apiPaths.secondLook, id), remoteAddress });

describe.each(oneEngine)('a second look on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(() => app.remove());

  const looks = async () => (await app.database.runSql('select * from second_look')).rows;
  const change = (payload: object) =>
    app.fastify.inject({
      method: 'POST',
      url: operatorPaths.changes,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      payload: { reason: 'a test', ...payload },
    });
  const decide = (state: string, memberId: string) =>
    change({ kind: 'decide-credits', input: { state, member_ids: [memberId], again: true } });
  const letTwoDaysPass = () =>
    app.database.runSql("update member set joined_at = joined_at - interval '2 days'");

  test.each([
    [5, 5],
    [6, 10],
    [26, 50],
    [51, 100],
  ])('%i friends who are being checked are shown as %i', async (held, shown) => {
    const { id, referral_code: code } = await app.join(`star-${held}@example.com`);
    const friends: string[] = [];
    for (let n = 0; n < held; n += 1)
      friends.push((await app.join(`f${held}-${n}@example.com`, code)).id);
    await change({ kind: 'decide-credits', input: { state: 'held', member_ids: friends } });
    await letTwoDaysPass();
    const { json } = await app.fastify.inject(fillPath(apiPaths.status, id));
    expect(json()).toMatchObject({ referral_count: 0, held_referrals: shown });
  });

  test('is requested once, and answered by the next decision', async () => {
    const { id, referral_code: code } = await app.join('ada@example.com');
    const one = await app.join('one@example.com', code);
    const other = await app.join('other@example.com', code);
    const nothing = await ask(id, app);
    expect([nothing.statusCode, nothing.json().second_look]).toEqual([200, undefined]);
    expect(await looks()).toEqual([]);

    for (const { id: friend } of [one, other]) await decide('held', friend);
    const status = async () => (await app.fastify.inject(fillPath(apiPaths.status, id))).json();
    for (const day of ["date_trunc('day', now(), 'UTC')", "now() - interval '1 day'"]) {
      await app.database.runSql(`update member set joined_at = ${day}`);
      expect(await status()).not.toHaveProperty('held_referrals');
      expect((await ask(id, app)).json()).not.toHaveProperty('second_look');
    }
    expect(await looks()).toEqual([]);
    await letTwoDaysPass();
    expect(await status()).toMatchObject({ held_referrals: 5 });
    expect(await status()).not.toHaveProperty('second_look');
    const asked = await ask(id, app);
    expect([asked.statusCode, asked.json()]).toEqual([200, await status()]);
    expect(asked.json()).toMatchObject({ referral_count: 0, second_look: 'asked' });
    const [look] = await looks();
    await Promise.all(Array.from({ length: 5 }, () => ask(id, app)));
    expect(await looks()).toEqual([look]);

    await decide('given', one.id);
    expect(await status()).toMatchObject({ held_referrals: 5, second_look: 'answered' });
    expect((await ask(id, app)).json().second_look).toBe('answered');
    await decide('refused', other.id);
    expect(await status()).not.toHaveProperty('second_look');
    expect(await looks()).toHaveLength(1);
  });

  test('is refused to nobody but unknown members', async () => {
    const { id } = await app.join('grace@example.com');
    for (const unknown of [id.replace(/.$/, (end) => (end === '0' ? '1' : '0')), 'x', '%00'])
      expect((await ask(unknown, app)).statusCode).toBe(404);
  });
});

test('one address asks so often, and others still can', async () => {
  const app = await openTestApp('postgres', { isLimiting: true });
  const { id } = await app.join('ada@example.com');
  const answers: number[] = [];
  for (let count = 0; count <= ACTIONS['second-look'].perIp.max; count += 1)
    answers.push((await ask(id, app, '192.0.2.1')).statusCode);
  expect(answers.filter((status) => status === 200)).toHaveLength(ACTIONS['second-look'].perIp.max);
  expect(answers.at(-1)).toBe(429);
  expect((await ask(id, app, '192.0.2.2')).statusCode).toBe(200);
  await app.remove();
});
