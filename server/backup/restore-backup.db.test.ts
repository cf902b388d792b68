import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Engine, oneEngine } from '../../test/support/engines.ts';
import { type Place, providePlaces } from '../../test/support/provide-places.ts';
import { seedLine } from '../../test/support/seed-line.ts';
import { isAll } from '../../test/support/test-form.ts';
import { openDatabase } from '../db/open.ts';
import { readSchema } from '../db/schema/read-schema.ts';
import { inTransaction } from '../db/transaction.ts';
import { getDrop } from '../drop/drop-store.ts';
import { makeOffers } from '../drop/steps/sweep-offers.ts';
import { verifyLine } from '../line/verify/verify-line.ts';
import { loadSecretKey } from '../mail/secret-key.ts';
import { verifyWaitlist } from '../overview/verify-waitlist.ts';
import { readBackupLines, sealBackup } from './backup-file.ts';
import { takeOfflineBackup } from './offline-backup.ts';
import { restoreBackup } from './restore-backup.ts';

const SECRET_KEY = 'a key that somebody has chosen, long enough';
const settings = { secretKey: SECRET_KEY } as const;
const MEMBERS = 3;

const { pathOf, createPlace, createEmptyPlace } = providePlaces();
let targets = 0;

async function createSource(engine: Engine): Promise<Place> {
  const place = await createPlace(engine);
  await seedLine(place, MEMBERS);
  return place;
}

function createTarget(engine: Engine): Promise<Place> {
  targets += 1;
  return createEmptyPlace(engine, `target ${targets}`);
}

/** The rows of each statement; opening a database costs more than they do. */
async function query(place: Place, ...texts: string[]): Promise<unknown[][]> {
  const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
  try {
    const results: unknown[][] = [];
    for (const text of texts) results.push([...(await database.runSql(text)).rows]);
    return results;
  } finally {
    await database.close();
  }
}

async function backUp(place: Place): Promise<string> {
  const path = pathOf('line.backup');
  await writeFile(path, await takeOfflineBackup({ ...settings, ...place }));
  return path;
}

async function writeLines(header: object, end: object, rows = ''): Promise<string> {
  const path = pathOf('made-up.backup');
  async function* lines() {
    yield `#backup ${JSON.stringify(header)}\n${rows}#end ${JSON.stringify(end)}\n`;
  }
  await writeFile(path, sealBackup(lines()));
  return path;
}

const takenAt = '2026-01-01T00:00:00.000Z';
const schema = readSchema();
const schemaVersion = schema.changes.at(-1)?.name ?? '';

describe.each(oneEngine)('on %s', (engine) => {
  // `npm test` restores a backup of the last state in upgrade.db.test.ts.
  test.runIf(isAll)('a backup of an older version is migrated after its rows', async () => {
    const path = await backUp(await createSource(engine));
    const newer = {
      name: '9999-newer',
      sql: 'create table newer as select count(*)::integer as members from member',
      hash: 'x',
    };
    const target = await createTarget(engine);
    const restored = await restoreBackup(
      { ...settings, ...target },
      { path, log: () => {}, schema: { ...schema, changes: [...schema.changes, newer] } },
    );
    expect(restored).toMatchObject({ members: MEMBERS, mails: 0 });
    expect(await query(target, 'select members from newer')).toEqual([[{ members: MEMBERS }]]);
  });

  test('an offline backup migrates nothing, and an older version refuses it', async () => {
    const source = await createSource(engine);
    await query(source, `insert into schema_change (name, hash) values ('9999-newer', 'x')`);
    const path = await backUp(source);
    const target = await createTarget(engine);
    await expect(
      restoreBackup({ ...settings, ...target }, { path, log: () => {} }),
    ).rejects.toThrow(/newer version \(it has 9999-newer\)/);
  });
});

test.runIf(isAll)(
  'a backup with an altered secret key is refused, and leaves no database',
  async () => {
    const source = await createSource('embedded');
    const database = await openDatabase({ ...source, log: () => {} });
    await loadSecretKey({ ...settings, ...source }, database);
    await database.close();
    const whole = await backUp(source);
    const path = pathOf('altered.backup');
    async function* lines() {
      for await (const { word, json } of readBackupLines(whole))
        yield `${word} ${json.replace(SECRET_KEY, 'another key, which is long enough, too')}\n`;
    }
    await writeFile(path, sealBackup(lines()));
    const target = await createTarget('embedded');
    await expect(
      restoreBackup({ secretKey: null, ...target }, { path, log: () => {} }),
    ).rejects.toThrow(`${path} was altered: its secret key is not that of its rows.`);
    expect(readdirSync(target.dataDir)).toEqual(['lock']);
  },
);

/** A line in the middle of a drop, with a mail that waits and keys of a shop. */
async function createDrop(engine: Engine): Promise<Place> {
  const source = await createSource(engine);
  await query(
    source,
    `update mask_drop set state = 'offering', frozen_at = now(), list_hash = 'h', salt = 's',
       announced_at = now(), announcement = '{}', announcement_hash = 'h', selected_at = now()`,
    `update till_account set left_at = now()`,
    `insert into till_account (kind, settings, keys)
       values ('stripe', '{"cents": 9900}', '${KEYS}')`,
    `insert into till_account (kind, keys, left_at) values ('shopify', '${KEYS}', now())`,
    `select queue_mails(array['{"kind": "welcome"}'::jsonb])`,
  );
  return source;
}

const KEYS = 'sealed-keys-of-a-shop';
const HOME = `select copy_cause, copy_since, paused_by, paused_at, keys, kind
  from line_home, mask_drop, till_account where kind <> 'link' order by kind`;

test.each(oneEngine)('the number of a deleted draft stays taken on %s', async (engine) => {
  const source = await createSource(engine);
  const draft = `insert into campaign (subject, body, filter) values ('', '', '{}') returning id`;
  const [kept] = await query(
    source,
    draft,
    draft,
    'delete from campaign where id = 2',
    `select append_audit('operator', null, 'Ada', 'delete-campaign', 'campaign', '2', null, '{}')`,
  );
  expect(kept).toEqual([{ id: 1 }]);
  const target = await createTarget(engine);
  await restoreBackup({ ...settings, ...target }, { path: await backUp(source), log: () => {} });
  for (const place of [source, target]) expect(await query(place, draft)).toEqual([[{ id: 3 }]]);
});

test.each(oneEngine)('what is restored on %s may be a copy, and has no key', async (engine) => {
  const path = await backUp(await createDrop(engine));
  const texts: string[] = [];
  for await (const { word, json } of readBackupLines(path)) texts.push(word, json);
  expect(texts.join()).toContain('9900');
  expect(texts.join()).not.toContain(KEYS);
  // A backup of an older program has them.
  const older = pathOf('older.backup');
  const withKeys = (json: string) => json.replaceAll('{"id"', `{"keys":"${KEYS}","id"`);
  async function* lines() {
    for await (const { word, json } of readBackupLines(path))
      yield `${word} ${word === 'till_account' ? withKeys(json) : json}\n`;
  }
  await writeFile(older, sealBackup(lines()));
  for (const file of [path, older]) {
    const target = await createTarget(engine);
    const { takenAt, keyless } = await restoreBackup(
      { ...settings, ...target },
      { path: file, log: () => {} },
    );
    expect(keyless).toEqual(['Stripe']);
    const since = new Date(takenAt);
    const home = { copy_cause: 'restored', copy_since: since, paused_by: 'copy', paused_at: since };
    expect(await query(target, HOME)).toEqual([
      ['shopify', 'stripe'].map((kind) => ({ ...home, keys: null, kind })),
    ]);
  }
});

test.each(oneEngine)(
  'restored on %s as the line, it acts, and the audit log says so',
  async (engine) => {
    const path = await backUp(await createDrop(engine));
    const target = await createTarget(engine);
    await restoreBackup({ ...settings, ...target }, { path, log: () => {}, isLine: true });
    const entries = 'select action, actor_name from audit_entry';
    expect(await query(target, HOME, entries)).toEqual([
      Array(2).fill(
        expect.objectContaining({ copy_since: null, copy_cause: null, paused_by: 'copy' }),
      ),
      [{ action: 'this-is-the-line', actor_name: 'restore' }],
    ]);
    const database = await openDatabase({ ...target, log: () => {} });
    try {
      await inTransaction(database, makeOffers);
      expect((await getDrop(database)).paused_by).toBeNull();
      expect((await verifyWaitlist(database)).differences).toEqual([]);
    } finally {
      await database.close();
    }
  },
);

const MOVES = [
  ['embedded', 'postgres'],
  ['postgres', 'embedded'],
] as const;

test.each(isAll ? MOVES : MOVES.slice(0, 1))(
  'operators, passkeys and keys move from %s to %s, sessions and links do not',
  async (from, to) => {
    const source = await createSource(from);
    await query(
      source,
      `insert into operator (email, email_identity, name, role)
       values ('Ada@example.com', 'ada@example.com', 'Ada', 'owner');
     insert into passkey (credential_id, operator_id, name, public_key, sign_count, transports)
       select 'c', id, 'Phone', 'p', 7, '{internal,hybrid}' from operator;
     insert into api_key (name, secret_hash, hint, scopes, created_by)
       select 'nightly', 'h', 'waitlist_key_x', '{read,export}', id from operator;
     insert into operator_session (secret_hash, operator_id, device)
       select 's', id, 'Firefox on Linux' from operator;
     insert into one_time_secret (secret_hash, purpose, operator_id, expires_at)
       select 'l', 'link', id, now() + interval '15 minutes' from operator`,
    );
    const path = await backUp(source);
    const target = await createTarget(to);
    await restoreBackup({ ...settings, ...target }, { path, log: () => {} });
    const select = (tables: readonly string[]) => tables.map((table) => `select * from ${table}`);
    const moved = select(['operator', 'passkey', 'api_key']);
    const left = select(['operator_session', 'one_time_secret']);
    const [before, after] = [await query(source, ...moved), await query(target, ...moved, ...left)];
    expect(before.map((rows) => rows.length)).toEqual([1, 1, 1]);
    expect(after).toEqual([...before, [], []]);
    await expect(query(target, `update operator set role = 'viewer'`)).rejects.toMatchObject({
      constraint: 'operator_keeps_an_owner',
    });
  },
);

test('a backup whose last line does not match its rows is not kept', async () => {
  const path = await writeLines(
    { takenAt, schemaVersion, secretKey: SECRET_KEY },
    { rows: { member: 1 } },
  );
  const target = await createTarget('postgres');
  await expect(restoreBackup({ ...settings, ...target }, { path, log: () => {} })).rejects.toThrow(
    'nothing is kept',
  );
  const tables = `select from information_schema.tables where table_schema = 'public'`;
  expect(await query(target, tables)).toEqual([[]]);
});

test('rows that do not fit are refused in a sentence that has nothing of them', async () => {
  const rows = `member [{"email":"ada@example.com"}]\n`;
  const path = await writeLines({ takenAt, schemaVersion, secretKey: SECRET_KEY }, {}, rows);
  const target = await createTarget('postgres');
  await expect(restoreBackup({ ...settings, ...target }, { path, log: () => {} })).rejects.toThrow(
    `The rows of member in ${path} do not fit this version (null value in column "id" of ` +
      'relation "member" violates not-null constraint): restore it with the version that made it.',
  );
});

/** 500 members, of a program whose schema was 25 changes. */
const FIXTURE = fileURLToPath(new URL('../../test/fixtures/before-baseline/', import.meta.url));
const POSITIONS = `select referral_code, own.position::integer
  from member join standing on member_id = id cross join lateral position_of(sort_key) own
  order by sort_key`;

test.each(oneEngine)('a backup of before the baseline keeps every member on %s', async (engine) => {
  const target = await createTarget(engine);
  const path = join(FIXTURE, 'line.backup');
  const restored = await restoreBackup({ ...settings, ...target }, { path, log: () => {} });
  expect(restored).toMatchObject({ members: 500 });
  const codes = (await readFile(join(FIXTURE, 'positions.txt'), 'utf8')).trimEnd().split('\n');
  const database = await openDatabase({ ...target, log: () => {} });
  try {
    const { rows } = await database.runSql(POSITIONS);
    // Friends whom a rule had held count since, so that those who invited them stand elsewhere.
    expect((rows as { referral_code: string }[]).map((row) => row.referral_code).sort()).toEqual(
      codes.toSorted(),
    );
    expect((await verifyLine(database)).differences).toEqual([]);
  } finally {
    await database.close();
  }
});
