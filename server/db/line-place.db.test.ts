import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createEmptyPostgresDatabase,
  createMigratedPlace,
  type DatabasePlace,
} from '../../test/support/engines.ts';
import { createRestoredDatabase } from './create-restored.ts';
import { IN_POSTGRES } from './line-place.ts';
import { openDatabase } from './open.ts';
import { assertCurrent } from './schema/migrate.ts';

let postgres: DatabasePlace & { readonly databaseUrl: string };
let embedded: DatabasePlace | undefined;
beforeEach(async () => {
  postgres = await createEmptyPostgresDatabase();
  embedded = undefined;
});
afterEach(async () => {
  await postgres.remove();
  await embedded?.remove();
});

type Own = {
  readonly url?: string;
  readonly isServer?: boolean;
  readonly skipMigrations?: boolean;
};
const open = (dataDir: string, { url, isServer = true, skipMigrations = false }: Own = {}) =>
  openDatabase({ dataDir, databaseUrl: url ?? null, isServer, skipMigrations, log: () => {} });

test('the line of a folder that was restored into PostgreSQL is opened there alone', async () => {
  embedded = await createMigratedPlace('embedded');
  const { dataDir } = embedded;
  const { databaseUrl } = postgres;
  await createRestoredDatabase({ dataDir, databaseUrl, log: () => {}, fill: async () => {} });
  const mark = join(dataDir, IN_POSTGRES);
  for (const skipMigrations of [false, true])
    await expect(open(dataDir, { skipMigrations })).rejects.toThrow(
      `The line of ${dataDir} is in PostgreSQL: set DATABASE_URL, or delete ${mark} to do without.`,
    );
  await (await open(dataDir, { url: databaseUrl })).close();
  rmSync(mark);
  await (await open(dataDir)).close();
});

test('a server of PostgreSQL refuses a folder with a line of its own, and leaves it', async () => {
  embedded = await createMigratedPlace('embedded');
  const { dataDir } = embedded;
  await expect(open(dataDir, { url: postgres.databaseUrl })).rejects.toThrow(
    `${join(dataDir, 'database')} has a line of its own, and DATABASE_URL leads to another: `,
  );
  expect(existsSync(join(dataDir, IN_POSTGRES))).toBe(false);
});

test('two servers of one PostgreSQL need two data folders', async () => {
  const { dataDir, databaseUrl } = postgres;
  const first = await open(dataDir, { url: databaseUrl });
  await expect(open(dataDir, { url: databaseUrl })).rejects.toThrow(
    `The data folder ${dataDir} is in use by another running server: stop that one first.`,
  );
  // A command, such as a backup.
  await (await open(dataDir, { url: databaseUrl, isServer: false, skipMigrations: true })).close();
  await first.close();
  await (await open(dataDir, { url: databaseUrl })).close();
  await expect(open(dataDir)).rejects.toThrow('is in PostgreSQL: set DATABASE_URL');
  expect(readdirSync(dataDir).toSorted()).toEqual([IN_POSTGRES, 'lock']);
});

test('a reader of an empty PostgreSQL finds no line, and makes none', async () => {
  const { dataDir, databaseUrl: url } = postgres;
  const database = await open(dataDir, { url, isServer: false, skipMigrations: true });
  await expect(assertCurrent(database.runSql)).rejects.toThrow(
    'There is no waitlist in the database',
  );
  const { rows } = await database.runSql(
    `select from information_schema.tables where table_schema = 'public'`,
  );
  expect(rows).toEqual([]);
  await database.close();
});
