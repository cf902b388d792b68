/** Tests share one PostgreSQL, and copy one migrated database per engine. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findProgram, install } from '../../scripts/chromium.ts';
import { ensureEmbedded } from '../../server/db/embedded/create-embedded.ts';
import { openDatabase } from '../../server/db/open.ts';
import { createDatabase, dropDatabase } from './postgres-databases.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server, as a superuser. */
    postgresUrl: string;
    /**
     * PostgreSQL's programs, for servers that a test starts and kills; null with TEST_DATABASE_URL.
     */
    postgresFolder: string | null;
    /** The name of a migrated database there. */
    postgresTemplate: string;
    /** A data folder with a migrated embedded database. */
    embeddedTemplate: string;
    /** The files of an embedded database as it is created. */
    createdDatabase: string;
  }
}

/** Vitest calls this once per run, and the function it returns at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Tests of disks make a file system of their own, which an empty Debian cannot.
  if (findProgram('mkfs.ext4') === null) install(['e2fsprogs']);
  const opening = providePostgres(project);
  const parent = mkdtempSync(join(tmpdir(), 'waitlist-template-'));
  const folder = join(parent, 'data');
  mkdirSync(folder, { mode: 0o700 });
  const createdDatabase = join(parent, 'created');
  cpSync(await ensureEmbedded(folder, () => {}), createdDatabase, { recursive: true });
  await migrateTemplate(folder, null);
  const postgres = await opening;
  emptyUnusedDatabases(folder);
  project.provide('embeddedTemplate', folder);
  project.provide('createdDatabase', createdDatabase);
  return async () => {
    rmSync(parent, { recursive: true });
    await postgres.stop();
  };
}

type TestPostgres = {
  readonly url: string;
  readonly folder: string | null;
  readonly template: string;
  stop(): Promise<void>;
};

/** Projects of a run load this module each for themselves, and share what is here. */
const run = globalThis as { testPostgres?: { users: number; opening: Promise<TestPostgres> } };

/** The PostgreSQL of all projects; the last one to stop it ends it. */
export async function providePostgres(project: TestProject): Promise<TestPostgres> {
  run.testPostgres ??= { users: 0, opening: openTestPostgres() };
  const shared = run.testPostgres;
  shared.users += 1;
  const postgres = await shared.opening;
  project.provide('postgresUrl', postgres.url);
  project.provide('postgresFolder', postgres.folder);
  project.provide('postgresTemplate', postgres.template);
  return {
    ...postgres,
    async stop() {
      shared.users -= 1;
      if (shared.users === 0) await postgres.stop();
    },
  };
}

async function openTestPostgres(): Promise<TestPostgres> {
  const { description, ...server } = await findServer();
  console.log(`PostgreSQL for the tests: ${description}`);
  const { name: template, url } = await createDatabase(server.url);
  await migrateTemplate('', url);
  return {
    ...server,
    template,
    async stop() {
      await dropDatabase(server.url, template);
      await server.stop();
    },
  };
}

async function findServer(): Promise<Omit<PostgresServer, 'folder'> & { folder: string | null }> {
  const url = process.env.TEST_DATABASE_URL;
  // Autovacuum would change plans at a moment of its own.
  if (url === undefined || url === '') return startPostgres({ settings: { autovacuum: 'off' } });
  const description = `TEST_DATABASE_URL (${new URL(url).host})`;
  return { url, folder: null, description, async stop() {} };
}

/**
 * Deletes the tables of template0 and template1, which no server connects to: half of the files
 * that a test would copy.
 */
function emptyUnusedDatabases(dataDir: string): void {
  for (const database of ['1', '4']) {
    const path = join(dataDir, 'database', 'base', database);
    for (const name of readdirSync(path)) if (/^\d/.test(name)) rmSync(join(path, name));
  }
}

async function migrateTemplate(dataDir: string, databaseUrl: string | null): Promise<void> {
  const database = await openDatabase({ dataDir, databaseUrl, log: () => {} });
  await database.close();
}
