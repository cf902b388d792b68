import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { mailboxOf, readEmail } from '../../mail/email-rules.ts';

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

test('the database knows the mailbox of an address as the server does', async () => {
  const domain = fc.constantFrom(
    ...['gmail.com', 'googlemail.com', 'proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    ...['icloud.com', 'me.com', 'mac.com', 'yahoo.com', 'example.com'],
  );
  const name = fc.stringMatching(/^[aé+._-]{1,6}$/);
  const identity = fc
    .tuple(name, domain)
    .map((parts) => readEmail(parts.join('@'))?.identity ?? '')
    .filter((found) => found !== '');
  const many = fc.array(identity, { minLength: 100, maxLength: 100 });
  await fc.assert(
    fc.asyncProperty(many, async (identities) => {
      const { rows } = await sql<{ mailbox: string }>`
        select mailbox_of(identity) as mailbox from unnest(${identities}::text[]) identity
      `.execute(place.database.kysely);
      expect(rows.map(({ mailbox }) => mailbox)).toEqual(identities.map(mailboxOf));
    }),
    { numRuns: 10 },
  );
});
