/**
 * Leaving, and the operator's lists, while a million mails may wait or have been sent.
 */
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { removeMember } from '../../server/line/change-member.ts';
import { type JoinQueue, openJoinQueue } from '../../server/line/join/join.ts';
import { queueMails } from '../../server/line/mails/store.ts';
import { readMailJobs } from '../../server/members/links/store.ts';
import { listFailedMails, listWaitingMails } from '../../server/notifications/lists/list-mails.ts';
import { type Engine, oneEngine, openTestDatabase, type TestDatabase } from '../support/engines.ts';

/** Mails of others: waiting as jobs, sent, and in the outbox. */
const OTHERS = 10_000;
const REFUSED = 250;
/** Members whose mails wait in the outbox. */
const JOINED = 150;

let place: TestDatabase;
let line: JoinQueue;
afterEach(async () => {
  await line.close();
  await place.close();
});

async function openLine(engine: Engine): Promise<void> {
  place = await openTestDatabase(engine);
  await prepareSizes(place.database, brand);
  line = openJoinQueue({ database: place.database, brand, joinedMail: 'welcome' });
}

async function join(email: string): Promise<string> {
  const { body } = await line.join({ email, referredBy: null, idempotencyKey: null });
  return (JSON.parse(body) as Member).id;
}

/** Gives the member a queued mail, reads their mails as a download does, and removes them. */
async function queueReadAndLeave(memberId: string): Promise<readonly string[]> {
  const { database } = place;
  await queueMails(database.kysely, [{ kind: 'status-link', memberId }]);
  const mails = await readMailJobs(database, memberId);
  await removeMember(database, { memberId });
  return mails.map(({ kind }) => kind).sort();
}

async function addMailsOfOthers({ kysely }: Database): Promise<void> {
  await sql`
    insert into pgboss.job (name, data, state, created_on, completed_on, output)
    select 'mail', jsonb_build_object('kind', 'welcome', 'memberId', gen_random_uuid()),
      case when outcome is null then 'created' else 'completed' end::pgboss.job_state,
      at, case when outcome is not null then at end, jsonb_build_object('outcome', outcome)
    from (
      values (null, ${OTHERS}::integer), ('sent', ${OTHERS}::integer),
        ('refused', ${REFUSED}::integer)
    ) of_outcome (outcome, mails)
    cross join lateral (
      select now() - number * interval '1 second' as at from generate_series(1, mails) number
    ) one
  `.execute(kysely);
  await sql`
    insert into mail_outbox
    select first, 'welcome', array[gen_random_uuid()]
    from generate_series(${-OTHERS}::integer, 0) first
  `.execute(kysely);
}

/** The sizes of the first pages of a list; all that they hold is new, and in order. */
async function countPages(
  list: typeof listWaitingMails | typeof listFailedMails,
  pages: number,
): Promise<number[]> {
  const found: { times: string[]; next: string | null }[] = [];
  for (let page = 0; page < pages && found.at(-1)?.next !== null; page += 1) {
    const after = found.at(-1)?.next;
    const { entries, next } = await list(place.database, after ? { after } : {});
    found.push({ times: entries.map((mail) => mail.queued_at), next });
  }
  const times = found.flatMap((page) => page.times);
  const ordered = [...new Set(times)].sort();
  expect(times).toEqual(list === listWaitingMails ? ordered : ordered.reverse());
  return found.map((page) => page.times.length);
}

/** Rows that were read, by the database's own counts. */
async function countRowsRead(): Promise<number> {
  const { database } = place;
  let reader = database;
  if (database.engine === 'postgres') {
    // A connection there tells its counts at its end.
    await database.close();
    reader = await openDatabase({ ...place, log: () => {} });
  } else await database.runSql('select pg_stat_force_next_flush()');
  const { rows } = await reader.runSql(`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as "rowsRead"
    from pg_stat_user_tables
    where schemaname = 'pgboss' and relname ~ '^job|^j[0-9a-f]{56}' or relname = 'mail_outbox'`);
  if (reader !== database) await reader.close();
  return (rows as { rowsRead: number }[])[0]?.rowsRead ?? 0;
}

test.each(oneEngine)(
  'plans made for an empty queue find mails of a member and pages of a long one by key, on %s',
  async (engine) => {
    await openLine(engine);
    await place.database.runSql('vacuum (analyze)');
    await queueReadAndLeave(await join('first@example.com'));
    for (const list of [listWaitingMails, listFailedMails])
      expect(await countPages(list, 2)).toEqual([0]);
    await addMailsOfOthers(place.database);
    for (const email of ['second@example.com', 'third@example.com', 'fourth@example.com'])
      expect(await queueReadAndLeave(await join(email))).toEqual(['status-link', 'welcome']);
    expect(await countPages(listWaitingMails, 3)).toEqual([100, 100, 100]);
    expect(await countPages(listFailedMails, 4)).toEqual([100, 100, 50]);
    const joined = await Promise.all(
      Array.from({ length: JOINED }, (_, index) => join(`joined${index}@example.com`)),
    );
    const first = await listWaitingMails(place.database, { after: 'outbox.1.0' });
    const second = await listWaitingMails(place.database, { after: first.next ?? '' });
    expect([first.entries.length, second.entries.length, second.next]).toEqual([100, 50, null]);
    const listed = [...first.entries, ...second.entries].map(({ member }) => member?.id);
    expect(new Set(listed)).toEqual(new Set(joined));
    const left = await sql<{ mails: number }>`
      select (select count(*) from pgboss.job)
        + (select sum(cardinality(member_ids)) from mail_outbox) as mails
    `.execute(place.database.kysely);
    const mails = 3 * OTHERS + REFUSED + JOINED + 1;
    expect(left.rows).toEqual([{ mails }]);
    // That count read every row once.
    expect(await countRowsRead()).toBeLessThan(mails + 1000);
  },
);

test('a leave that waits for mail somebody has locked keeps nobody from joining', async () => {
  await openLine('postgres');
  const { kysely } = place.database;
  const memberId = await join('leaving@example.com');
  await queueMails(kysely, [{ kind: 'status-link', memberId }]);
  const [locked, joined] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const cleanUp = kysely.transaction().execute(async (transaction) => {
    await sql`select from pgboss.job for update`.execute(transaction);
    locked.resolve();
    await joined.promise;
  });
  await locked.promise;
  let hasLeft = false;
  const leaving = removeMember(place.database, { memberId }).then(() => {
    hasLeft = true;
  });
  const countBlocked = async () => {
    const { rows } = await sql<{ blocked: number }>`
      select count(*) as blocked from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `.execute(kysely);
    return rows[0]?.blocked;
  };
  try {
    await expect.poll(countBlocked).toBe(1);
    await join('next@example.com');
    expect(hasLeft).toBe(false);
  } finally {
    joined.resolve();
  }
  await Promise.all([cleanUp, leaving]);
  const { rows } = await sql<{ jobs: number }>`select count(*) as jobs from pgboss.job`.execute(
    kysely,
  );
  expect(rows).toEqual([{ jobs: 0 }]);
});
