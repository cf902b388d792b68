/** What is stored about the networks that members joined from. */
import { afterEach, describe, expect, test } from 'vitest';
import { apiPaths } from '../../contract/paths.ts';
import type { App } from '../../server/app.ts';
import { deleteOldTraces } from '../../server/fairness/traces/trace-store.ts';
import { oneEngine } from '../support/engines.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const DEFAULTS = { isLimiting: true, trustProxy: ['127.0.0.1'] };

let app: TestApp;
const others: App[] = [];
afterEach(async () => {
  for (const other of others.splice(0)) await other.close();
  await app.remove();
});

async function join(name: string, ip: string, by: Pick<App, 'fastify'> = app): Promise<number> {
  const answer = await by.fastify.inject({
    method: 'POST',
    url: apiPaths.join,
    headers: { 'x-forwarded-for': ip },
    payload: { email: `${name}@example.com` },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  const { rows } = await app.database.runSql<{ network: number }>(
    'select network from join_trace where member_id = $1',
    [answer.json().id],
  );
  return rows[0]?.network ?? Number.NaN;
}

async function openAnother(): Promise<App> {
  const another = await app.openAnother();
  others.push(another);
  return another;
}

describe.each(oneEngine)('on %s', (engine) => {
  test('one network has one hash on all servers, until the key changes', async () => {
    app = await openTestApp(engine, DEFAULTS);
    const home = await join('ada', '203.0.113.9');
    expect(await join('bo', '203.0.113.9', await openAnother())).toBe(home);
    expect(await join('cleo', '203.0.113.10')).not.toBe(home);
    await app.database.runSql(`update trace_key set created_at = created_at - interval '31 days'`);
    const later = await openAnother();
    expect(await join('dan', '203.0.113.9', later)).not.toBe(home);
  });

  test('traces go after 30 days, and their keys after 60', async () => {
    app = await openTestApp(engine, DEFAULTS);
    await join('ada', '203.0.113.9');
    const countOf = async (table: string) =>
      (await app.database.runSql<{ n: number }>(`select count(*)::integer as n from ${table}`))
        .rows[0]?.n;
    await deleteOldTraces(app.database);
    expect([await countOf('join_trace'), await countOf('trace_key')]).toEqual([1, 1]);
    const daysAgo = Date.now() - 31 * 24 * 3_600_000;
    const hex = daysAgo.toString(16).padStart(12, '0');
    await app.database.runSql('update join_trace set member_id = $1', [
      `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`,
    ]);
    await app.database.runSql(`update trace_key set created_at = created_at - interval '61 days'`);
    await deleteOldTraces(app.database);
    expect([await countOf('join_trace'), await countOf('trace_key')]).toEqual([0, 0]);
  });
});
