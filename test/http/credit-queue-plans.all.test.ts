/** What the queue of held credits reads of a long line. */
import { expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { OPERATOR_TOKEN, openTestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };

test('the queue of a long line is read by indexes and keys alone', async () => {
  const app = await openTestApp('postgres');
  await app.database.runSql(`
    insert into standing (member_id, sort_key)
      select ('018f2b5e-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n
      from generate_series(1, 20000) n;
    insert into member (id, sequence, joined_at, join_position, request_hash, is_invited, email,
        email_identity, referral_code, referrer_id, credit)
      select ('018f2b5e-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n, now(), n,
        gen_random_uuid(), n > 20, n || '@example.com', n || '@example.com', lpad(n::text, 10, '0'),
        case when n > 20
          then ('018f2b5e-0000-7000-8000-' || lpad((n % 20 + 1)::text, 12, '0'))::uuid end,
        case when n <= 20 then 'none' when n % 50 = 0 then 'held' else 'given' end
      from generate_series(1, 20000) n;
    insert into credit_case (member_id, rules, score, holds)
      select id, '{ring}', 120, true from member where credit = 'held';
    insert into join_trace select id, 1, 1, 7, 0, 0, 0 from member;
    select rebuild_line()`);
  const counted = async () => {
    await app.database.runSql('select pg_stat_force_next_flush()');
    const { rows } = await app.database.runSql(`
      select relname, seq_tup_read::float8 as rows from pg_stat_user_tables
      where relname in ('member', 'credit_case', 'join_trace', 'standing') order by relname`);
    return rows;
  };
  const id = '018f2b5e-0000-7000-8000-000000000011';
  const before = await counted();
  for (const path of [
    operatorPaths.credits,
    `${operatorPaths.credits}?rule=few-networks`,
    `${operatorPaths.credits}?on_hold=yes`,
    operatorPaths.firstInLine,
    operatorPaths.waitingCredits,
    operatorPaths.creditKinds,
    fillPath(operatorPaths.creditsOfCode, id),
  ]) {
    const { statusCode } = await app.fastify.inject({ url: path, headers: HEADERS });
    expect(statusCode).toBe(200);
  }
  expect(await counted()).toEqual(before);
  await app.remove();
});
