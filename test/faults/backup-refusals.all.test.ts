/** Damaged files, databases that are not empty, and interrupted restores. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { checkBackupFile } from '../../server/backup/backup-file.ts';
import { IN_POSTGRES } from '../../server/db/line-place.ts';
import { openDatabase } from '../../server/db/open.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { drawFromSeed } from '../support/draw-from-seed.ts';
import {
  createEmptyPostgresDatabase,
  createMigratedPlace,
  type DatabasePlace,
  defaultEngine,
  type Engine,
} from '../support/engines.ts';
import { isLong } from '../support/test-form.ts';
import { withClient } from '../support/with-client.ts';
import { inspect, LEFT_OUT, type Place, runCommand, startCommand } from './backup-commands.ts';
import { FILL_CONSOLE_TABLES } from './console-tables.ts';

const CUTS = 20;
const MEMBERS = isLong ? 1_500 : 200;
const SECRET_KEY = 's'.repeat(43);

let folder: string;
let source: DatabasePlace;
let file: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-backup-'));
  source = await createMigratedPlace('embedded');
  file = join(folder, 'line.backup');
  writeFileSync(join(source.dataDir, 'secret-key'), `${SECRET_KEY}\n`, { mode: 0o600 });
  const database = await openDatabase({ ...source, log: () => {} });
  await prepareSizes(database, brand);
  const queue = openJoinQueue({
    database,
    brand,
    joinedMail: 'welcome',
    knownMail: null,
  });
  const [{ body }] = [
    await queue.join({ email: 'first@example.com', referredBy: null, idempotencyKey: 'key' }),
  ];
  const code = JSON.parse(body).referral_code;
  await Promise.all(
    Array.from({ length: MEMBERS - 1 }, (_, index) =>
      queue.join({
        email: `member${index}@example.com`,
        referredBy: index % 2 === 0 ? code : null,
        idempotencyKey: null,
      }),
    ),
  );
  await queue.close();
  await database.runSql(`
    insert into allocation (size, quantity, note)
      select name, 1, E'for "the press"\\u2028\\n\\\\ü' from mask_size limit 1;
    insert into status_link_sent select id, '2026-01-02 03:04:05.678901+02' from member limit 3;
    insert into notification_state (member_id, referral_count) select id, 1 from member limit 3;
    insert into top100_notified select id from member limit 3;
    insert into mail_suppression values ('a hash', 'bounced');
    insert into secret_check (fingerprint) values ('${fingerprint()}');
    ${FILL_CONSOLE_TABLES}`);
  await database.close();
  expect((await runCommand('backup', source, file)).stderr).toBe('');
});
afterAll(async () => {
  await source.remove();
  rmSync(folder, { recursive: true });
});

function fingerprint(): string {
  return createHmac('sha256', SECRET_KEY).update('fingerprint').digest('base64url');
}

let target: Place;
let postgres: DatabasePlace | null;
beforeEach(() => {
  postgres = null;
});
afterEach(async () => {
  await postgres?.remove();
  removeTarget();
});

/** A process that was just killed may still be writing. */
function removeTarget(): void {
  rmSync(join(folder, 'target'), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

async function createTarget(engine: Engine): Promise<Place> {
  if (engine === 'embedded') return { dataDir: join(folder, 'target'), databaseUrl: null };
  postgres = await createEmptyPostgresDatabase();
  return postgres;
}

/** Holds the same as the source; for the embedded engine a copy, which is faster. */
async function createFullTarget(engine: Engine): Promise<Place> {
  const place = await createTarget(engine);
  if (engine === 'embedded') cpSync(source.dataDir, place.dataDir, { recursive: true });
  else expect(await runCommand('restore', place, file)).toMatchObject({ exitCode: 0 });
  return place;
}

/** Whether a server would find a waitlist there. */
async function holdsAnything({ dataDir, databaseUrl }: Place): Promise<boolean> {
  if (databaseUrl === null) return existsSync(join(dataDir, 'database'));
  return await withClient(databaseUrl, async (client) => {
    // PostgreSQL finishes the commit of a client that is gone.
    const others = `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend'`;
    while ((await client.query(others)).rows.length > 0) await delay(20);
    const tables = `select from information_schema.tables where table_schema = 'public'`;
    return (await client.query(tables)).rows.length > 0;
  });
}

/** Expects one line of error and exit code 1. */
async function refusal(place: Place, path = file): Promise<string> {
  const { exitCode, stdout, stderr } = await runCommand('restore', place, path);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\n$/);
  return stderr;
}

test('a backup restored on the other engine and back has every row of every table', async () => {
  const there = await createTarget('postgres');
  expect(await runCommand('restore', there, file)).toMatchObject({ exitCode: 0, stderr: '' });
  const second = join(folder, 'second.backup');
  expect(await runCommand('backup', there, second)).toMatchObject({ exitCode: 0, stderr: '' });
  const back = await createTarget('embedded');
  mkdirSync(back.dataDir, { mode: 0o700 });
  writeFileSync(join(back.dataDir, IN_POSTGRES), '');
  expect(await runCommand('restore', back, second)).toMatchObject({ exitCode: 0, stderr: '' });
  const [before, after] = [await inspect(source), await inspect(back)];
  expect(after.rows).toBe(before.rows);
  // The line is back: a server may start here without DATABASE_URL.
  expect(readdirSync(back.dataDir)).not.toContain(IN_POSTGRES);
  expect(readdirSync(there.dataDir)).toContain(IN_POSTGRES);
  expect(after.differences).toEqual([]);
  expect(readFileSync(join(back.dataDir, 'secret-key'), 'utf8')).toBe(`${SECRET_KEY}\n`);
  // Guards this test: every table, later ones too, must have rows. Some are not backed up.
  const database = await openDatabase({ ...source, log: () => {} });
  const tables = await database.runSql(`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`);
  const names = (tables.rows as { name: string }[]).map(({ name }) => name);
  for (const name of names.filter((one) => !LEFT_OUT.includes(one)))
    expect((await database.runSql(`select from "${name}" limit 1`)).rows, name).toHaveLength(1);
  await database.close();
});

test('a file with any bit changed, or cut short anywhere, is refused', async () => {
  const random = drawFromSeed();
  const whole = readFileSync(file);
  const damaged = join(folder, 'damaged.backup');
  const places = [
    ...Array(60).keys(),
    ...Array.from({ length: 60 }, () => Math.floor(random.between(0, whole.length))),
  ];
  for (const place of [...places, whole.length - 1]) {
    const bytes = Buffer.from(whole);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << (place % 8));
    writeFileSync(damaged, bytes);
    await expect(checkBackupFile(damaged), `bit of byte ${place}`).rejects.toThrow(
      /damaged|not a backup|does not know/,
    );
    writeFileSync(damaged, whole.subarray(0, place));
    await expect(checkBackupFile(damaged), `${place} bytes`).rejects.toThrow(
      /damaged|not a backup/,
    );
  }
  writeFileSync(damaged, Buffer.concat([whole, Buffer.from([0])]));
  await expect(checkBackupFile(damaged)).rejects.toThrow('damaged');
  await checkBackupFile(file);
});

describe.each(defaultEngine)('a restore into %s', (engine) => {
  test('refuses a damaged file in one line, and writes nothing', async () => {
    target = await createTarget(engine);
    const damaged = join(folder, 'damaged.backup');
    writeFileSync(damaged, readFileSync(file).subarray(0, -1000));
    expect(await refusal(target, damaged)).toContain('damaged');
    expect(await refusal(target, join(folder, 'none.backup'))).toContain('does not exist');
    expect(await holdsAnything(target)).toBe(false);
    expect(existsSync(join(target.dataDir, 'secret-key'))).toBe(false);
  });

  test('refuses a database that is not empty, and leaves it unchanged', async () => {
    target = await createFullTarget(engine);
    const before = await inspect(target);
    expect(await refusal(target)).toMatch(
      engine === 'embedded' ? /database in .* already/ : /not empty \(it has public\./,
    );
    expect((await inspect(target)).rows).toBe(before.rows);
    expect(before.positions.size).toBe(MEMBERS);
    expect(readdirSync(target.dataDir).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  test('refuses a data folder of other files, and adds none', async () => {
    target = await createTarget(engine);
    mkdirSync(target.dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(join(target.dataDir, 'notes.txt'), '');
    expect(await refusal(target)).toContain('holds other files, such as notes.txt: use an empty');
    expect(readdirSync(target.dataDir)).toEqual(['notes.txt']);
    expect(await holdsAnything(target)).toBe(false);
  });

  test('refuses a data folder that is a file, or below one, in one line', async () => {
    target = await createTarget(engine);
    const taken = join(folder, 'taken');
    writeFileSync(taken, 'a file');
    for (const dataDir of [taken, join(taken, 'below')])
      expect(await refusal({ ...target, dataDir })).toBe(
        `The data folder ${dataDir} cannot be used: it is not a folder.\n`,
      );
    expect(readFileSync(taken, 'utf8')).toBe('a file');
    expect(await holdsAnything(target)).toBe(false);
  });

  test('refuses a data folder with another secret key', async () => {
    target = await createTarget(engine);
    mkdirSync(target.dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(join(target.dataDir, 'secret-key'), `${'o'.repeat(43)}\n`, { mode: 0o600 });
    expect(await refusal(target)).toContain('different secret-key');
    expect(await holdsAnything(target)).toBe(false);
  });

  test.runIf(isLong)(`killed (${CUTS} times), leaves all or nothing`, async () => {
    const random = drawFromSeed();
    target = await createTarget(engine);
    const restoreMs = await measureRestore();
    const counts = { nothing: 0, whole: 0 };
    for (let cut = 0; cut < CUTS; cut += 1) {
      if (await holdsAnything(target)) target = await replaceTarget(engine);
      const child = startCommand('restore', target, file);
      const ended = once(child, 'exit');
      await Promise.race([ended, delay(random.between(0, restoreMs))]);
      child.kill('SIGKILL');
      await ended;
      const isComplete = await holdsAnything(target);
      counts[isComplete ? 'whole' : 'nothing'] += 1;
      if (isComplete) await expectComplete(target);
    }
    console.log(
      `restore killed, ${engine}: ${counts.nothing} left nothing, ${counts.whole} were complete`,
    );
    if (!(await holdsAnything(target)))
      expect(await runCommand('restore', target, file)).toMatchObject({ exitCode: 0 });
    await expectComplete(target);
  });
});

/** Leaves the target filled. */
async function measureRestore(): Promise<number> {
  const beganAt = performance.now();
  expect(await runCommand('restore', target, file)).toMatchObject({ exitCode: 0 });
  return performance.now() - beganAt;
}

async function replaceTarget(engine: Engine): Promise<Place> {
  await postgres?.remove();
  removeTarget();
  return await createTarget(engine);
}

async function expectComplete(place: Place): Promise<void> {
  const { positions, differences } = await inspect(place);
  expect(positions.size).toBe(MEMBERS);
  expect(differences).toEqual([]);
}
