/** A database as an older version of this program left it, with members in it. */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import pg from 'pg';
import { inject } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { Database } from '../../server/db/database.ts';
import { migrate, readMigrations, type SqlSession } from '../../server/db/migrate.ts';
import { openDatabase } from '../../server/db/open.ts';
import { prepareLine } from '../../server/waitlist/prepare-line.ts';
import type { DatabasePlace, Engine } from '../support/engines.ts';
import { createDatabase, dropDatabase } from '../support/postgres-databases.ts';

/** Before there was mail. */
const LAST_MIGRATION = '0003-status-mail';
const BATCH = 100;
/** What an upgrade must leave as it is. */
const KEPT = `
  select id || email || email_identity || referral_code || referral_count || sort_key || sequence || joined_at as row
  from member where email like 'ghost%' order by id;
  select key_hash || request_hash || status_code || body || created_at as row from idempotency_answer
  where key_hash like 'key%' order by key_hash`;

export type OldDatabase = {
  readonly members: number;
  /** As `readKept` reads it. */
  readonly kept: string;
  /** A copy of its own for a test. */
  copy(): Promise<DatabasePlace>;
  remove(): Promise<void>;
};

export async function createOldDatabase(engine: Engine, members: number): Promise<OldDatabase> {
  const migrations = readMigrations().filter(({ name }) => name <= LAST_MIGRATION);
  const dataDir = createFolder();
  const serverUrl = inject('postgresUrl');
  const created = engine === 'postgres' ? await createDatabase(serverUrl) : null;
  const place = { dataDir, databaseUrl: created?.url ?? null };
  await (created === null ? migrateEmbedded(dataDir, migrations) : migratePostgres(created.url, migrations));
  const database = await openDatabase({ ...place, log: () => {}, asItIs: true });
  await prepareLine(database, brand);
  for (let joined = 0; joined < members; joined += BATCH) await joinSome(database, joined);
  await database.close();
  return {
    members,
    kept: await readKept(place),
    async copy() {
      const copyDir = createFolder();
      if (created === null) {
        cpSync(dataDir, copyDir, { recursive: true });
        return { dataDir: copyDir, databaseUrl: null, remove: async () => rmSync(copyDir, { recursive: true }) };
      }
      const copied = await createDatabase(serverUrl, created.name);
      return {
        dataDir: copyDir,
        databaseUrl: copied.url,
        async remove() {
          await dropDatabase(serverUrl, copied.name);
          rmSync(copyDir, { recursive: true });
        },
      };
    },
    async remove() {
      if (created !== null) await dropDatabase(serverUrl, created.name);
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** Every member of then and every answer kept for a retry, as text. */
export async function readKept(place: Omit<DatabasePlace, 'remove'>): Promise<string> {
  const database = await openDatabase({ ...place, log: () => {}, asItIs: true });
  try {
    const parts = [];
    for (const query of KEPT.split(';')) parts.push((await database.runSql(query)).rows as { row: string }[]);
    return parts
      .flat()
      .map(({ row }) => row)
      .join('\n');
  } finally {
    await database.close();
  }
}

async function migrateEmbedded(dataDir: string, migrations: Parameters<typeof migrate>[1]): Promise<void> {
  const folder = join(dataDir, 'database');
  mkdirSync(folder);
  const pglite = await PGlite.create({ fs: new NodeFS(folder) });
  await migrate(pglite, migrations);
  await pglite.close();
}

async function migratePostgres(url: string, migrations: Parameters<typeof migrate>[1]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const session: SqlSession = {
    exec: (text) => client.query(text),
    query: (text, values) => client.query(text, values) as never,
  };
  await migrate(session, migrations);
  await client.end();
}

/** As the program of then did: every second one is invited by the first of its batch before. */
async function joinSome({ runSql }: Database, from: number): Promise<void> {
  const codeOf = (number: number) => String(number).padStart(10, 'A');
  const rows = Array.from({ length: BATCH }, (_, ordinal) => {
    const number = from + ordinal;
    const email = `ghost${number}@example.com`;
    return {
      ordinal,
      id: randomUUID(),
      email,
      email_identity: email,
      referral_code: codeOf(number),
      referred_by: number % 2 === 1 && from > 0 ? codeOf(from - BATCH) : null,
      key_hash: `key${number}`,
      request_hash: `request${number}`,
      body_before_place: '{"position":',
      body_after_place: '}',
    };
  });
  await runSql('select from join_members($1, $2)', [JSON.stringify(rows), '{}']);
}

function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'waitlist-old-'));
}
