import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { engines, openTestDatabase } from '../../test/support/engines.ts';

describe.each(engines)('the %s engine', async (engine) => {
  const { database, close } = await openTestDatabase(engine);
  afterAll(close);

  test('columns read back as plain JavaScript values', async () => {
    const { rows } = await sql`select
      7::int4 as whole, 9007199254740991::bigint as big, count(*) as counted,
      1.5::float8 as real, 1.50::numeric as exact,
      '2026-11-20 10:11:12.345+02'::timestamptz as moment, '2026-11-20'::date as day,
      true as yes, null::text as nothing,
      '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'::uuid as id, '{"a": [1]}'::jsonb as json,
      array['a', 'b'] as words, array[1, 2] as numbers
    from generate_series(1, 3)`.execute(database.kysely);
    expect(rows).toEqual([
      {
        whole: 7,
        big: Number.MAX_SAFE_INTEGER,
        counted: 3,
        real: 1.5,
        exact: '1.50',
        moment: new Date('2026-11-20T08:11:12.345Z'),
        day: '2026-11-20',
        yes: true,
        nothing: null,
        id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
        json: { a: [1] },
        words: ['a', 'b'],
        numbers: [1, 2],
      },
    ]);
  });

  test('a bigint beyond the exact integers of JavaScript is an error, never rounded', async () => {
    await expect(
      sql`select 9007199254740993::bigint as big`.execute(database.kysely),
    ).rejects.toThrow(RangeError);
  });

  test('a broken constraint tells its SQLSTATE and its name', async () => {
    await sql`create table only_once (word text constraint only_once_word unique)`.execute(
      database.kysely,
    );
    await sql`insert into only_once values ('a')`.execute(database.kysely);
    await expect(
      sql`insert into only_once values ('a')`.execute(database.kysely),
    ).rejects.toMatchObject({
      code: '23505',
      constraint: 'only_once_word',
    });
  });

  test('a listener receives messages from the moment that listening begins', async () => {
    const received: string[] = [];
    const stop = await database.listen('called', {
      onMessage: (payload) => received.push(payload),
      onReady: () => received.push('ready'),
    });
    await database.runSql(`notify called, 'once'`);
    await expect.poll(() => received).toEqual(['ready', 'once']);
    await stop();
  });

  test('a query from outside an open transaction is not part of it', async () => {
    await sql`create table note (word text)`.execute(database.kysely);
    const transaction = database.kysely.transaction().execute(async (trx) => {
      await sql`insert into note values ('inside')`.execute(trx);
      await sql`select pg_sleep(0.05)`.execute(trx);
      throw new Error('rolled back');
    });
    const outside = sql`insert into note values ('outside')`.execute(database.kysely);
    await expect(transaction).rejects.toThrow('rolled back');
    await outside;
    const { rows } = await sql`select word from note`.execute(database.kysely);
    expect(rows).toEqual([{ word: 'outside' }]);
  });

  test('transactions begun at once all end, and a failed one leaves nothing', async () => {
    await sql`create table tally (number int)`.execute(database.kysely);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) =>
        database.kysely.transaction().execute(async (trx) => {
          await sql`insert into tally values (${number})`.execute(trx);
          if (number % 2 === 1) await sql`select 1 / 0`.execute(trx);
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const { rows } = await sql<{
      number: number;
    }>`select number from tally order by number`.execute(database.kysely);
    expect(rows.map(({ number }) => number)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
  });
});
