/**
 * A connection keeps its plans. Those made while the line was empty must not read whole tables once
 * it is long: by the database's own counts, a look-up by key reads the row of that key alone.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import {
  inTransaction,
  inUndoneTransaction,
  lock,
  type Transaction,
} from '../../server/db/transaction.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { removeMembers, restoreMembers } from '../../server/line/changes/change-store.ts';
import { openStatusReader } from '../../server/line/get-status.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { openReferralVerifier } from '../../server/line/referrals/verify-referral.ts';
import { createMigratedPlace, engines } from '../support/engines.ts';

const BATCHES = 30;
const BATCH = 50;
/** A key has one row, except where the levels of counts are read at once. */
const KEYS_OF_A_LOOK_UP: Readonly<Record<string, number>> = { count_node_pkey: 6 };

/**
 * Live rows alone: versions that an open transaction keeps are passed over, and are no work of a
 * plan. Members of the narrowest bucket are counted by range.
 */
const LOOK_UPS = `
  select indexrelname as index, idx_scan::float8 as "lookUps", idx_tup_fetch::float8 as "rowsRead"
  from pg_stat_user_indexes join pg_index using (indexrelid)
  where indisunique and schemaname = 'public' and idx_scan > 0
    and indexrelname <> 'standing_sort_key_key'
  order by indexrelname`;
/** Tables whose rows were read in sequence as often as members joined, or more. */
const WHOLE_READS = `
  select relname from pg_stat_user_tables
  where schemaname = 'public' and seq_tup_read >= ${BATCHES * BATCH}`;
type LookUps = { readonly index: string; readonly lookUps: number; readonly rowsRead: number };

async function visit(database: Database): Promise<void> {
  await prepareSizes(database, brand);
  await database.runSql('vacuum (analyze)');
  const queue = openJoinQueue({ database, brand, joinedMail: 'welcome', knownMail: 'status-link' });
  const reader = openStatusReader({ database, brand });
  const verifier = openReferralVerifier({ database, inviterEmail: 'masked' });
  const joined: Member[] = [];
  let number = 0;

  async function joinOne(): Promise<void> {
    number += 1;
    const inviter = joined[(number * 7) % Math.max(1, joined.length)];
    const { body } = await queue.join({
      email: `visitor${number}@example.com`,
      referredBy: number % 2 === 0 ? (inviter?.referral_code ?? null) : null,
      idempotencyKey: `key-${number}`,
    });
    joined.push(JSON.parse(body) as Member);
  }

  for (let batch = 0; batch < BATCHES; batch += 1) {
    const asked = joined.slice(-BATCH);
    await Promise.all([
      ...Array.from({ length: BATCH }, joinOne),
      ...asked.map(({ id }) => reader.getStatus(id)),
      ...asked.map((member) => verifier.verifyReferral(member.referral_code)),
    ]);
  }
  for (const each of [queue, reader, verifier]) await each.close();
}

/** Versions of rows that are updated meanwhile stay, as beside an `analyze` by the database. */
async function besideOpenTransaction(database: Database, work: () => Promise<void>): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await sql`select pg_current_xact_id()`.execute(transaction);
    await work();
  });
}

test.each(engines)(
  'plans made for an empty line serve a long one on the %s engine',
  async (engine) => {
    const { remove, ...place } = await createMigratedPlace(engine);
    let database = await openDatabase({ ...place, log: () => {} });
    if (engine === 'postgres') {
      const elsewhere = await openDatabase({ ...place, log: () => {} });
      const visited = database;
      await besideOpenTransaction(elsewhere, () => visit(visited));
      await elsewhere.close();
      // A connection there reports its counts at its end.
      await database.close();
      database = await openDatabase({ ...place, log: () => {} });
    } else {
      await visit(database);
      await database.runSql('select pg_stat_force_next_flush()');
    }
    const lookUps = (await database.runSql(LOOK_UPS)).rows as LookUps[];
    const wholeReads = (await database.runSql(WHOLE_READS)).rows;
    await database.close();
    await remove();

    expect(wholeReads).toEqual([]);
    expect(lookUps.map(({ index }) => index)).toEqual(
      expect.arrayContaining([
        'standing_pkey',
        'member_pkey',
        'member_referral_code_key',
        'member_email_identity_key',
      ]),
    );
    const wholeTables = lookUps.filter(
      ({ index, lookUps, rowsRead }) => rowsRead > lookUps * (KEYS_OF_A_LOOK_UP[index] ?? 1),
    );
    expect(wholeTables).toEqual([]);
  },
);

const CHAIN = 200;
/** Rows that a removal and its undo read by one index, for each member: 19, or all of a table. */
const FEW = 50;

/** Each brought the next one. */
async function joinInChain(database: Database): Promise<string[]> {
  await prepareSizes(database, brand);
  const queue = openJoinQueue({ database, brand, joinedMail: 'welcome', knownMail: 'status-link' });
  const ids: string[] = [];
  let code: string | null = null;
  for (let number = 0; number < CHAIN; number += 1) {
    const email = `visitor${number}@example.com`;
    const { body } = await queue.join({ email, referredBy: code, idempotencyKey: null });
    const member = JSON.parse(body) as Member;
    code = member.referral_code;
    ids.push(member.id);
  }
  await queue.close();
  return ids;
}

function startRemoval(ids: readonly string[]) {
  const removalId = randomUUID();
  const until = new Date(Date.now() + 3_600_000);
  return {
    remove: (transaction: Transaction) => removeMembers(transaction, ids, { removalId, until }),
    restore: (transaction: Transaction) => restoreMembers(transaction, removalId),
  };
}

test.each(engines)(
  'a removal and its undo read a row a few times, whatever the planner thinks, on the %s engine',
  async (engine) => {
    const { remove, ...place } = await createMigratedPlace(engine);
    let database = await openDatabase({ ...place, log: () => {} });
    async function change(work: (transaction: Transaction) => Promise<unknown>): Promise<void> {
      await inTransaction(database, async (transaction) => {
        await lock(transaction, 'line');
        await work(transaction);
      });
    }
    const ids = await joinInChain(database);
    // Pages without rows: to the planner that is a table that stays empty.
    const abandoned = startRemoval(ids);
    await inUndoneTransaction(database, abandoned.remove);
    await database.runSql('analyze');
    await inUndoneTransaction(database, abandoned.remove);
    await database.runSql(`
      insert into opened_invite (member_id, has_friend)
        select gen_random_uuid(), false from generate_series(1, ${2 * FEW * CHAIN});
      insert into notification_due (member_id)
        select gen_random_uuid() from generate_series(1, ${2 * FEW * CHAIN})`);
    // Otherwise the connection would add its counts of the joins later.
    await database.runSql('select pg_stat_force_next_flush()');
    await database.runSql('select pg_stat_reset()');

    const first = startRemoval(ids.filter((_, index) => index % 2 === 0));
    const second = startRemoval(ids.filter((_, index) => index % 2 === 1));
    for (const step of [first.remove, second.remove, second.restore, first.restore])
      await change(step);
    if (engine === 'postgres') {
      await database.close();
      database = await openDatabase({ ...place, log: () => {} });
    } else await database.runSql('select pg_stat_force_next_flush()');
    const lookUps = (await database.runSql(LOOK_UPS)).rows as LookUps[];
    await database.close();
    await remove();

    expect(lookUps.map(({ index }) => index)).toContain('removed_member_pkey');
    expect(lookUps.filter(({ rowsRead }) => rowsRead > FEW * CHAIN)).toEqual([]);
  },
);
