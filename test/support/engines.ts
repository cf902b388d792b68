import { constants, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { createDatabase, dropDatabase } from './postgres-databases.ts';
import { isAll } from './test-form.ts';

export const engines = ['embedded', 'postgres'] as const;
export type Engine = (typeof engines)[number];

/** Engines of tests that would not notice another one: `npm test` takes the cheaper. */
export const oneEngine: readonly Engine[] = isAll ? engines : ['postgres'];
/** Engines of tests of whole servers: `npm test` takes that of a server without settings. */
export const defaultEngine: readonly Engine[] = isAll ? engines : ['embedded'];

/** Where a database is, for a test that opens it or passes it to a server process. */
export type DatabasePlace = {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Deletes it; close what uses it first. */
  remove(): Promise<void>;
};

export type TestDatabase = {
  readonly database: Database;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Closes and deletes it. */
  close(): Promise<void>;
};

/** A migrated database without members, for one test file or one test. */
export async function openTestDatabase(engine: Engine): Promise<TestDatabase> {
  const { remove, ...place } = await createMigratedPlace(engine);
  const database = await openDatabase({ ...place, log: () => {} });
  return {
    ...place,
    database,
    async close() {
      await database.close();
      await remove();
    },
  };
}

/** Like `openTestDatabase`, but not opened. */
export async function createMigratedPlace(engine: Engine): Promise<DatabasePlace> {
  if (engine === 'postgres') return createPostgresPlace(inject('postgresTemplate'));
  const dataDir = createFolder();
  cpSync(inject('embeddedTemplate'), dataDir, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
  });
  return { dataDir, databaseUrl: null, remove: async () => rmSync(dataDir, { recursive: true }) };
}

/** An empty PostgreSQL database without a schema, with an empty data folder. */
export async function createEmptyPostgresDatabase(): Promise<
  DatabasePlace & { readonly databaseUrl: string }
> {
  return createPostgresPlace();
}

async function createPostgresPlace(
  template?: string,
): Promise<DatabasePlace & { readonly databaseUrl: string }> {
  const serverUrl = inject('postgresUrl');
  const { name, url } = await createDatabase(serverUrl, template);
  const dataDir = createFolder();
  return {
    dataDir,
    databaseUrl: url,
    async remove() {
      await dropDatabase(serverUrl, name);
      rmSync(dataDir, { recursive: true });
    },
  };
}

function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'waitlist-data-'));
}
