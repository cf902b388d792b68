import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { engines, openTestDatabase } from '../../test/support/engines.ts';

describe.each(engines)('the %s engine', async (engine) => {
  const { database, close } = await openTestDatabase(engine);
  afterAll(close);

  test('columns read back as plain JavaScript values', async () => {
    const { rows } = await sql`select
      7::int4 as whole, 9007199254740991::bigint as big, count(*) as counted, 1.5::float8 as real, 1.50::numeric as exact,
      '2026-11-20 10:11:12.345+02'::timestamptz as moment, '2026-11-20'::date as day, true as yes, null::text as nothing,
      '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'::uuid as id, '{"a": [1]}'::jsonb as json, array['a', 'b'] as words,
      array[1, 2] as numbers from generate_series(1, 3)`.execute(database.kysely);
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
});
