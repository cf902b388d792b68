/** Damaged files, databases that are not empty, and interrupted restores. */

import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkBackupFile } from '../../server/backup/backup-file.ts';
import { IN_POSTGRES } from '../../server/db/line-place.ts';
import { openDatabase } from '../../server/db/open.ts';
import { drawFromSeed } from '../support/draw-from-seed.ts';
import {
  createEmptyPostgresDatabase,
  createMigratedPlace,
  type DatabasePlace,
  defaultEngine,
  type Engine,
} from '../support/engines.ts';
import { provideFolder } from '../support/provide-folder.ts';
import type { Place } from '../support/provide-places.ts';
import { seedLine } from '../support/seed-line.ts';
import { isLong } from '../support/test-form.ts';
import { withClient } from '../support/with-client.ts';
import { inspect, LEFT_OUT, runCommand, startCommand } from './backup-commands.ts';

const CUTS = 20;
const MEMBERS = isLong ? 1_500 : 200;
const SECRET_KEY = 's'.repeat(43);

const pathOf = provideFolder('all');
let source: DatabasePlace;
let file: string;

beforeAll(async () => {
  source = await createMigratedPlace('embedded');
  file = pathOf('line.backup');
  writeFileSync(join(source.dataDir, 'secret-key'), `${SECRET_KEY}\n`, { mode: 0o600 });
  await seedLine(source, MEMBERS, { firstKey: 'key', joinedMail: 'welcome' });
  const database = await openDatabase({ ...source, log: () => {} });
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
afterAll(() => source.remove());

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
  rmSync(pathOf('target'), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

async function createTarget(engine: Engine): Promise<Place> {
  if (engine === 'embedded') return { dataDir: pathOf('target'), databaseUrl: null };
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
  const second = pathOf('second.backup');
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
  const damaged = pathOf('damaged.backup');
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
    const damaged = pathOf('damaged.backup');
    writeFileSync(damaged, readFileSync(file).subarray(0, -1000));
    expect(await refusal(target, damaged)).toContain('damaged');
    expect(await refusal(target, pathOf('none.backup'))).toContain('does not exist');
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

const FILL_CONSOLE_TABLES = `
  insert into operator (email, email_identity, name, role)
    values ('Ada@example.com', 'ada@example.com', 'Ada', 'owner');
  insert into passkey (credential_id, operator_id, name, public_key, sign_count, transports)
    select 'id', id, 'Phone', 'key', 7, '{usb,nfc}' from operator;
  insert into api_key (name, secret_hash, hint, scopes) values ('CI', 'hash', 'abcd', '{read}');
  insert into audit_entry values (1, '2026-01-02 03:04:05.678901+02', 'token', null, 'token',
    'set-stock', null, null, 'a reason', '{"b": [1], "a": null}', '', '\\x00ff');
  insert into undo_record values (1, null, '{"stock": 3}', '2026-01-03');
  insert into removed_member
    select gen_random_uuid(), gen_random_uuid(), '2026-01-03', 'left@example.com', '{}', '{}',
      '[]', null;
  insert into webhook_endpoint (url, events, next_sequence)
    values ('https://example.com', '{member.joined}', 2);
  insert into line_event select 1, 'joined', '2026-01-02', array[id], null, null, null
    from member limit 1;
  insert into offer_event (kind, offer_id, member_id)
    select 'offer.made', gen_random_uuid(), id from member limit 1;
  insert into webhook_delivery (endpoint_id, event_id, kind, happened_at, sequence, ordinal)
    select id, 'event', 'member.joined', '2026-01-02', 1, 0 from webhook_endpoint;
  insert into campaign (id, subject, body, filter) values (1, 'News', '# Hi', '{"tier": 1}');
  insert into campaign_mail select 1, id, 'sent' from member limit 1;
  insert into member_note (member_id, author_kind, author_name, body)
    select id, 'token', 'token', E'a note\\nof two lines' from member limit 1;
  insert into credit_case (member_id, decided_at, decided_by)
    select id, '2026-01-02', 'operator' from member limit 1;
  insert into visit_count values ('2026-01-02', 'landing', 0, 3);
  insert into event_count values ('2026-01-02', 'mail_sent', 3);
  insert into mail_count values ('2026-01-02', 3);
  insert into join_count values ('2026-01-02', 0, 3, 1) on conflict do nothing;
  insert into cohort_count (quarter) values ('2026-01-02');
  insert into friend_wait values (5, 2);
  insert into opened_invite select id, true from member limit 1;
  insert into work (kind, key, progress, due_at)
    values ('import', gen_random_uuid(), '{"moved": 2}', '2026-01-02');
  insert into import_piece values (gen_random_uuid(), 1, 2);
  insert into stranger_mail select gen_random_uuid(), 'hash', 'first', id, '2026-01-03'
    from member limit 1;
  insert into size_wish select id, '{Small}', false from member limit 1;
  insert into scheduled_step values (1, 'close-drop', '{}', '2026-01-03', 'UTC', 'failed', 'why',
    '2026-01-02', 3, '2026-01-01');
  insert into entrant select 1, 1, id, 3, 0, '{Small}', false, 1, 'Small' from member limit 1;
  insert into offer (drop_number, member_id, size, state, wave, expires_at, settled_at)
    select 1, member_id, 'Small', 'declined', 1, '2026-01-03', '2026-01-02' from entrant;
  insert into shop_code (code, size) values ('GHOST-1', 'Small');
  update till_account set settings = '{}';
  insert into checkout (offer_id, pay_by) select id, '2026-01-04' from offer
    on conflict do nothing;
  insert into till_payment (id, account_id, reference, cents, currency, state)
    select 'p', id, 'p', 1, 'EUR', 'by_hand' from till_account;
  insert into parcel (offer_id, member_id) select id, member_id from offer on conflict do nothing;
  insert into reward (member_id, tier_level, state) select id, 1, 'asked' from member limit 1;
  insert into reward_budget values (1, 10, 250);`;
