import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmptyPostgresDatabase, type DatabasePlace, engines } from '../../test/support/engines.ts';
import { migrateToMergedForm } from '../../test/support/merged-migration.ts';
import { migrate, readMigrations, type SqlSession } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { installQueue } from '../db/queue-schema.ts';
import { sealBackup } from './backup-file.ts';
import { restoreBackup } from './restore-backup.ts';
import { takeStoppedBackup } from './take-stopped-backup.ts';

const SECRET_KEY = 'a key that somebody has chosen, long enough';
/** The first with a queue of mail. */
const migrateToFirstQueue = (session: SqlSession) => migrate(session, readMigrations().slice(0, 4));

let folder: string;
let places: DatabasePlace[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-restore-'));
  places = [];
});
afterEach(async () => {
  for (const place of places) await place.remove();
  rmSync(folder, { recursive: true });
});

async function createPostgres() {
  const place = await createEmptyPostgresDatabase();
  places.push(place);
  return place;
}

/** A database as an older program has left it, with one member and a mail for them. */
async function createOld(migrateToOld: (session: SqlSession) => Promise<void>) {
  const place = await createPostgres();
  const client = new pg.Client({ connectionString: place.databaseUrl });
  await client.connect();
  const session = {
    exec: (sql: string) => client.query(sql),
    query: <Row>(sql: string, values?: unknown[]) => client.query<Row & pg.QueryResultRow>(sql, values),
  };
  await migrateToOld(session);
  await installQueue(async (text, values) => {
    const results = [await client.query(text, values)].flat();
    return { rows: results.flatMap(({ rows }) => rows) };
  });
  const fingerprint = createHmac('sha256', SECRET_KEY).update('fingerprint').digest('base64url');
  await client.query(`
    insert into line_state (rule, per_join, per_credit, per_invite, bucket_shifts)
      values ('points', 1, 8589934592, 4294967296, '{8,16,24,32,40,48,53}');
    insert into member (id, sequence, sort_key, email, email_identity, referral_code, joined_at)
      values ('6b1f8a52-5a0e-4c0f-9d6c-0f6d2f1f7a01', 7, 7, 'a@b.example', 'a@b.example', 'CODE', now());
    insert into secret_check (fingerprint) values ('${fingerprint}');
    select queue_mails(array['{"kind": "welcome", "memberId": "6b1f8a52-5a0e-4c0f-9d6c-0f6d2f1f7a01"}'::jsonb]);`);
  await client.end();
  return place;
}

const settings = { secretKey: SECRET_KEY } as const;

async function backUp(place: DatabasePlace): Promise<string> {
  const path = join(folder, 'old.backup');
  await writeFile(path, takeStoppedBackup({ ...settings, ...place }));
  return path;
}

describe.each(engines)('a backup of an older program restored into %s', (engine) => {
  test.each([
    ['the first with mail', migrateToFirstQueue],
    ['one that had a migration in the next one', migrateToMergedForm],
  ])(
    '(%s) is brought up to date, and the database it was made of is left as it was',
    async (_program, migrateToOld) => {
      const old = await createOld(migrateToOld);
      const migrationsOf = async (place: { dataDir: string; databaseUrl: string | null }) => {
        const database = await openDatabase({ ...place, log: () => {}, asItIs: true });
        const { rows } = await database.runSql('select name, hash from schema_migration order by name');
        await database.close();
        return rows;
      };
      const before = await migrationsOf(old);
      const path = await backUp(old);
      const target =
        engine === 'postgres' ? await createPostgres() : { dataDir: join(folder, 'target'), databaseUrl: null };
      const restored = await restoreBackup({ ...settings, ...target }, { path, log: () => {} });
      expect(restored).toMatchObject({ members: 1, mails: 1 });
      expect(await migrationsOf(old)).toEqual(before);
      expect(await migrationsOf(target)).toEqual(readMigrations().map(({ name, hash }) => ({ name, hash })));
    },
  );
});

test.each([
  ['of a newer program', '9999-later', 'x', /newer program \(it has 9999-later\)/],
  ['whose migration was edited', readMigrations()[0]?.name, 'x', /was edited/],
])('a backup %s is refused', async (_what, name, hash, sentence) => {
  const path = join(folder, 'other.backup');
  const header = { takenAt: '2026-01-01T00:00:00.000Z', migrations: [{ name, hash }], secretKey: SECRET_KEY };
  async function* lines() {
    yield `#backup ${JSON.stringify(header)}\n#end {"rows":{}}\n`;
  }
  await writeFile(path, sealBackup(lines()));
  const target = { ...settings, dataDir: join(folder, 'target'), databaseUrl: null };
  await expect(restoreBackup(target, { path, log: () => {} })).rejects.toThrow(sentence);
});

test('a backup that ends with other numbers than it has rows is not kept', async () => {
  const path = join(folder, 'wrong.backup');
  const header = { takenAt: '2026-01-01T00:00:00.000Z', migrations: readMigrations(), secretKey: SECRET_KEY };
  async function* lines() {
    yield `#backup ${JSON.stringify(header)}\n`;
    yield `#end ${JSON.stringify({ rows: { member: 1 } })}\n`;
  }
  await writeFile(path, sealBackup(lines()));
  const target = await createPostgres();
  await expect(restoreBackup({ ...settings, ...target }, { path, log: () => {} })).rejects.toThrow('nothing is kept');
  await expect(
    openDatabase({ ...target, log: () => {}, asItIs: true }).then(async (database) => {
      const { rows } = await database.runSql(`select from information_schema.tables where table_schema = 'public'`);
      await database.close();
      return rows.length;
    }),
  ).resolves.toBe(0);
});
