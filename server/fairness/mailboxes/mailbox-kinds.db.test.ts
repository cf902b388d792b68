import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';

let place: TestDatabase;
beforeAll(async () => {
  place = await openTestDatabase('postgres');
});
afterAll(() => place.close());

test.each([
  ['ada@gmail.com', 'costly'],
  ['ada@gmx.de', 'costly'],
  ['ada@outlook.com', 'open'],
  ['ada@mail.gmail.com', 'open'],
  ['ada@gmail.xyz', 'open'],
  ['ada@hosted.example', 'hosted'],
  ['ada@own.example', 'open'],
  ['ada@unknown.example', 'open'],
])('the mailbox of %s is %s', async (identity, kind) => {
  await sql`
    insert into mail_domain
    values ('hosted.example', 'hosted', now()), ('own.example', 'open', now())
    on conflict do nothing`.execute(place.database.kysely);
  const { rows } = await sql`select mailbox_kind(${identity}) as kind`.execute(
    place.database.kysely,
  );
  expect(rows).toEqual([{ kind }]);
});
