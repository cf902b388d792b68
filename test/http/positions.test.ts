/** A part of the line by positions, over every call of operators that takes a filter. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Campaign } from '../../contract/operator/mail/campaigns.ts';
import type { MemberFilter } from '../../contract/operator/member-filter.ts';
import type { MemberPage } from '../../contract/operator/member-list.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { type Engine, oneEngine } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const MEMBERS = 30_000;

/** Positions run against the order of joining, and keys have gaps. */
async function openLine(engine: Engine): Promise<TestApp> {
  const app = await openTestApp(engine);
  await app.database.runSql(`
    insert into standing (member_id, sort_key)
      select ('018f2b5e-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n * -1000
      from generate_series(1, ${MEMBERS}) n;
    insert into member (id, sequence, joined_at, join_position, request_hash, is_invited, email,
        email_identity, referral_code)
      select ('018f2b5e-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n, now(), n,
        gen_random_uuid(), false, n || '@example.com', n || '@example.com', lpad(n::text, 10, '0')
      from generate_series(1, ${MEMBERS}) n;
    update line_state set next_sequence = ${MEMBERS + 1};
    analyze member, standing`);
  return app;
}

async function call<Answer>(app: TestApp, url: string, payload?: object): Promise<Answer> {
  const method = payload === undefined ? 'GET' : 'POST';
  const body = payload && { payload };
  const answer = await app.fastify.inject({ method, url, headers: HEADERS, ...body });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.headers['content-type']?.startsWith('application/json;')
    ? answer.json()
    : (answer.body as Answer);
}

const preview = (app: TestApp, kind: string, input: object) =>
  call<{ counts: object; sentences: string[] }>(app, operatorPaths.previewChange, { kind, input });
const addressAt = (position: number) => `${MEMBERS + 1 - position}@example.com`;
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe.each(oneEngine)('a part of the line on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openLine(engine);
  });
  afterAll(() => app.remove());

  test.each<[MemberFilter, number, number]>([
    [{ text: '#1-100' }, 1, 100],
    [{ text: 'first 100' }, 1, 100],
    [{ positions: '101-150' }, 101, 150],
    [{ positions: `${MEMBERS - 9}-` }, MEMBERS - 9, MEMBERS],
    [{ text: `#${MEMBERS}-999999` }, MEMBERS, MEMBERS],
  ])('%j is these members, and no other', async (filter, from, to) => {
    const body = { filter, limit: 100 };
    const { members, next } = await call<MemberPage>(app, operatorPaths.listMembers, body);
    expect(members.map(({ position }) => position)).toEqual(range(from, to));
    expect(members.map(({ email }) => email)).toEqual(range(from, to).map(addressAt));
    expect(next).toBeNull();
    const counted = { count: to - from + 1, is_exact: true };
    expect(await call(app, operatorPaths.countMembers, { filter })).toEqual(counted);
    const file = await call<string>(app, operatorPaths.exportMembers, { filter, format: 'jsonl' });
    const lines = file.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).position)).toEqual(range(from, to));
    const { counts } = await preview(app, 'remove-members', { filter });
    expect(counts).toMatchObject({ members: to - from + 1 });
  });

  test('a large part of the line is counted exactly, without reading it', async () => {
    const counted = await call(app, operatorPaths.countMembers, { filter: { positions: '101-' } });
    expect(counted).toEqual({ count: MEMBERS - 100, is_exact: true });
  });

  test('positions that cannot be read are refused in a sentence', async () => {
    for (const filter of [{ positions: 'all' }, { text: '#9-1' }, { positions: '9-1' }]) {
      const answer = await app.fastify.inject({
        method: 'POST',
        url: operatorPaths.listMembers,
        headers: HEADERS,
        payload: { filter },
      });
      expect([answer.statusCode, answer.json().detail]).toEqual([
        422,
        expect.stringMatching(/such as 1-/),
      ]);
    }
  });

  test('a campaign to the first 100 goes to exactly these, however they move', async () => {
    await confirmEverybody(app.database);
    const draft = { subject: 'For the top', body: 'Hello.', filter: { text: 'first 100' } };
    const { campaign, revision } = await call<Campaign>(app, operatorPaths.campaigns, draft);
    const input = { campaign, revision };
    const { sentences } = await preview(app, 'send-campaign', input);
    expect(sentences.join('\n')).toMatch(/^100 members get /m);
    const climbs: Promise<unknown>[] = [];
    const climb = setInterval(() => {
      climbs.push(
        app.database.runSql(
          `update standing set sort_key = sort_key - 100000000
           where member_id = (select member_id from standing order by random() limit 1)`,
        ),
      );
    }, 5);
    await call(app, operatorPaths.changes, {
      kind: 'send-campaign',
      input,
      reason: 'the drop is near',
    });
    const path = fillPath(operatorPaths.campaign, String(campaign));
    await expect.poll(async () => (await call<Campaign>(app, path)).is_counted).toBe(true);
    clearInterval(climb);
    await Promise.all(climbs);
    await app.database.runSql(`
      update standing set sort_key = sequence * -1000 from member
      where id = member_id and sort_key <> sequence * -1000`);
    expect((await call<Campaign>(app, path)).counts.recipients).toBe(100);
  });
});

test('members at positions are found by the index of the line alone', async () => {
  const app = await openLine('postgres');
  const counted = async () => {
    const { rows } = await sql<{ rows: number }>`
      select sum(seq_tup_read)::float8 as rows from pg_stat_user_tables
      where relname in ('member', 'standing')
    `.execute(app.database.kysely);
    return rows[0]?.rows;
  };
  const flush = () => app.database.runSql('select pg_stat_force_next_flush()');
  await flush();
  const before = await counted();
  const filter = { positions: '201-300' };
  await call(app, operatorPaths.listMembers, { filter });
  await call(app, operatorPaths.countMembers, { filter: { ...filter, confirmed: false } });
  await call(app, operatorPaths.exportMembers, { filter, format: 'csv' });
  await flush();
  expect(await counted()).toBe(before);
  await app.remove();
});
