import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { readImport, updateImport } from './import-store.ts';
import { beginImport } from './receive-import.ts';

let place: TestDatabase;
beforeAll(async () => {
  place = await openTestDatabase(oneEngine[0] ?? 'postgres');
});
afterAll(() => place.close());

test('a check that goes on elsewhere updates nothing, and says so', async () => {
  const { kysely } = place.database;
  const { id } = await beginImport(place.database, { file_name: 'list.csv', bytes: 10 });
  const readBytes = async () => (await readImport(kysely, id)).read_bytes;
  expect(await updateImport(kysely, { id, checkId: randomUUID() }, { read_bytes: 5 })).toBe(false);
  expect(await readBytes()).toBe(0);
  expect(await updateImport(kysely, { id }, { read_bytes: 5 })).toBe(true);
  expect(await readBytes()).toBe(5);
});
