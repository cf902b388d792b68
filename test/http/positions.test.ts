/** A part of the line by positions, over every call of operators that takes a filter. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { MemberFilter } from '../../contract/operator/member-filter.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { type Engine, oneEngine } from '../support/engines.ts';
import { type ProvidedApp, provideApp } from './provide-app.ts';

const { listMembers, countMembers, exportMembers } = operatorPaths;
const MEMBERS = 30_000;

/** Positions run against the order of joining, and keys have gaps. */
function useLine(engine: Engine): ProvidedApp {
  const app = provideApp(engine);
  beforeAll(async () => {
    await app.sql(`
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
  });
  return app;
}

const addressAt = (position: number) => `${MEMBERS + 1 - position}@example.com`;
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe.each(oneEngine)('a part of the line on %s', (engine) => {
  const app = useLine(engine);
  const { ask, post } = app;

  test.each<[MemberFilter, number, number]>([
    [{ text: '#1-100' }, 1, 100],
    [{ text: 'first 100' }, 1, 100],
    [{ positions: '101-150' }, 101, 150],
    [{ positions: `${MEMBERS - 9}-` }, MEMBERS - 9, MEMBERS],
    [{ text: `#${MEMBERS}-999999` }, MEMBERS, MEMBERS],
  ])('%j is these members, and no other', async (filter, from, to) => {
    const { members, next } = await post(listMembers, { filter, limit: 100 });
    expect(members.map(({ position }: { position: number }) => position)).toEqual(range(from, to));
    expect(members.map(({ email }: { email: string }) => email)).toEqual(
      range(from, to).map(addressAt),
    );
    expect(next).toBeNull();
    const counted = { count: to - from + 1, is_exact: true };
    expect(await post(countMembers, { filter })).toMatchObject(counted);
    const { payload } = await ask('POST', exportMembers, { filter, format: 'jsonl' });
    const lines = payload.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).position)).toEqual(range(from, to));
    const { counts } = await app.preview('remove-members', { filter });
    expect(counts).toMatchObject({ members: to - from + 1 });
  });

  test('a large part of the line is counted exactly, without reading it', async () => {
    const counted = { count: MEMBERS - 100, is_exact: true };
    expect(await post(countMembers, { filter: { positions: '101-' } })).toMatchObject(counted);
  });

  test('positions that cannot be read are refused in a sentence', async () => {
    for (const filter of [{ positions: 'all' }, { text: '#9-1' }, { positions: '9-1' }])
      expect(await post(listMembers, { filter })).toEqual({
        status: 422,
        detail: expect.stringMatching(/such as 1-/),
      });
  });

  test('a campaign to the first 100 goes to exactly these, however they move', async () => {
    await confirmEverybody(app.database);
    const draft = { subject: 'For the top', body: 'Hello.', filter: { text: 'first 100' } };
    const { campaign, revision } = await post(operatorPaths.campaigns, draft);
    const input = { campaign, revision };
    const { sentences } = await app.preview('send-campaign', input);
    expect(sentences.join('\n')).toMatch(/^100 members get /m);
    const climbs: Promise<unknown>[] = [];
    const climb = setInterval(() => {
      climbs.push(
        app.sql(
          `update standing set sort_key = sort_key - 100000000
           where member_id = (select member_id from standing order by random() limit 1)`,
        ),
      );
    }, 5);
    expect(await app.change('send-campaign', input)).toMatchObject({ status: 201 });
    await app.run('finding the recipients of a campaign');
    clearInterval(climb);
    await Promise.all(climbs);
    await app.sql(`
      update standing set sort_key = sequence * -1000 from member
      where id = member_id and sort_key <> sequence * -1000`);
    const { counts } = await app.read(fillPath(operatorPaths.campaign, `${campaign}`));
    expect(counts.recipients).toBe(100);
  });
});

describe('members at positions', () => {
  const app = useLine('postgres');

  test('are found by the index of the line alone', async () => {
    const counted = async () => {
      await app.sql('select pg_stat_force_next_flush()');
      return await app.sql(`
        select sum(seq_tup_read)::float8 as rows from pg_stat_user_tables
        where relname in ('member', 'standing')`);
    };
    const before = await counted();
    const filter = { positions: '201-300' };
    await app.post(listMembers, { filter });
    await app.post(countMembers, { filter: { ...filter, confirmed: false } });
    await app.ask('POST', exportMembers, { filter, format: 'csv' });
    expect(await counted()).toEqual(before);
  });
});
