import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createMigratedPlace } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { HOUR_MS } from '../../durations.ts';
import { openDatabase } from '../open.ts';
import { openUpkeep } from './embedded-upkeep.ts';

const opened = provideLine('embedded', {}, 'all');

async function readState() {
  const { rows } = await sql<{ checkpoint: string; analyzedRows: number }>`select
      (select redo_lsn::text from pg_control_checkpoint()) as checkpoint,
      (select coalesce(sum(reltuples), 0)::int from pg_class
       where relname = 'bulk') as "analyzedRows"`.execute(opened.database.kysely);
  return rows[0];
}

describe('upkeep of the embedded database', () => {
  test('checkpoints and vacuums after writes once due, and leaves an idle one alone', async () => {
    let now = 0;
    const upkeep = openUpkeep(opened, () => now);
    await upkeep.run();
    await sql`create table bulk as select generate_series(1, 10000) as number`.execute(
      opened.database.kysely,
    );
    const before = await readState();
    await upkeep.run();
    expect(await readState()).toEqual(before);
    now += HOUR_MS;
    await upkeep.run();
    const after = await readState();
    expect(after?.checkpoint).not.toBe(before?.checkpoint);
    expect(after?.analyzedRows).toBe(10_000);
    now += HOUR_MS;
    await upkeep.run();
    expect(await readState()).toEqual(after);
  });

  test('vacuums table by table, and only those that have changed much and will stay', async () => {
    const { kysely } = opened.database;
    let now = 0;
    const upkeep = openUpkeep(opened, () => now);
    await sql`create table changed as select generate_series(1, 10000) as number`.execute(kysely);
    await sql`create table hardly as select generate_series(1, 10000) as number`.execute(kysely);
    await sql`create table brief (number integer) with (autovacuum_enabled = false)`.execute(
      kysely,
    );
    await sql`insert into brief select generate_series(1, 10000)`.execute(kysely);
    await sql`select pg_stat_force_next_flush()`.execute(kysely);
    await sql`vacuum (analyze) changed, hardly`.execute(kysely);
    await upkeep.run();
    await sql`update changed set number = -number`.execute(kysely);
    await sql`update hardly set number = -number where number < 10`.execute(kysely);
    now += HOUR_MS;
    const rounds: string[] = [];
    const done = upkeep.run().then(() => rounds.push('upkeep'));
    await sql`select 1`.execute(kysely).then(() => rounds.push('a visitor'));
    await done;
    expect(rounds).toEqual(['a visitor', 'upkeep']);
    const { rows } = await sql<{ name: string; vacuums: number }>`
      select relname as name, vacuum_count as vacuums from pg_stat_user_tables
      where relname in ('changed', 'hardly', 'brief') order by relname`.execute(kysely);
    expect(rows).toEqual([
      { name: 'brief', vacuums: 0 },
      { name: 'changed', vacuums: 2 },
      { name: 'hardly', vacuums: 1 },
    ]);
  });

  test('a large table is vacuumed before a server serves, and never beside requests', async () => {
    const place = await createMigratedPlace('embedded');
    const before = await openDatabase({ ...place, log: () => {} });
    const { kysely } = before;
    let now = 0;
    const upkeep = openUpkeep({ ...place, database: before }, () => now);
    await upkeep.run();
    await sql`create table large (number integer, filler text)`.execute(kysely);
    await sql`alter table large alter filler set storage plain`.execute(kysely);
    await sql`insert into large
      select number, repeat('x', 7000) from generate_series(1, 5000) number`.execute(kysely);
    async function readPasses() {
      now += HOUR_MS;
      await upkeep.run();
      const { rows } = await sql<{ vacuums: number; analyzes: number }>`
        select vacuum_count as vacuums, analyze_count as analyzes
        from pg_stat_user_tables where relname = 'large'`.execute(kysely);
      return rows[0];
    }

    expect(await readPasses()).toEqual({ vacuums: 0, analyzes: 1 });
    await sql`update large set number = -number`.execute(kysely);
    expect(await readPasses()).toEqual({ vacuums: 0, analyzes: 2 });
    await before.close();
    const after = await openDatabase({ ...place, log: () => {}, isServer: true });
    const { rows } = await sql<{ visible: boolean }>`
      select relallvisible = relpages and relpages > 0 as visible
      from pg_class where relname = 'large'`.execute(after.kysely);
    expect(rows).toEqual([{ visible: true }]);
    await after.close();
    await place.remove();
  });
});
