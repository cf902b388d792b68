/** The product with the roles of deploy/postgresql-roles.sql: one owns, the other runs. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { afterAll, expect, inject, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import type { RunSql } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { migrate } from '../../server/db/schema/migrate.ts';
import { MAIL_QUEUE } from '../../server/db/schema/queue-schema.ts';
import { readSchema } from '../../server/db/schema/read-schema.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { createEmptyPostgresDatabase } from '../support/engines.ts';
import { serveInProcess } from '../support/in-process-server.ts';
import { tellStory } from '../support/tell-story.ts';
import { asUser, withClient } from '../support/with-client.ts';

const SCRIPT = readFileSync(new URL('../../deploy/postgresql-roles.sql', import.meta.url), 'utf8');
const PASSWORD = randomBytes(12).toString('hex');
/** Suffix of this run: roles belong to all databases of a server. */
const ROLE = `waitlist_test_${randomBytes(6).toString('hex')}`;
const FORMER = `${ROLE}_former`;
const MANAGED = `${ROLE}_managed`;
const ADMIN = `${ROLE}_admin`;
const OWNERS = ['append_audit', 'drop_import_part', 'open_import_part'];
const DEFINERS = OWNERS.map((name) => `${name} search_path=public, pg_temp`);

const LACKS = String.raw`The user of DATABASE_URL lacks a right in \S+`;
const MAY_NOT = 'the user of DATABASE_URL may not change it';
const MIGRATE = String.raw`run \./waitlist migrate as its owner`;
const SEE = String.raw`see deploy/postgresql-roles\.sql\.`;

/** Statements that a server may not run. */
const FORBIDDEN = [
  'create table note (word text)',
  'create temporary table standing (word text)',
  'create schema other',
  'create function public.other() returns integer language sql as $$ select 1 $$',
  'alter table member add column note text',
  'alter table standing disable trigger user',
  'alter function append_audit reset search_path',
  'select rebuild_line()',
  'drop table allocation',
  'truncate member',
  "update schema_functions set names = '{other}'",
  "insert into schema_change (name, hash) values ('0002', '')",
  'create index on pgboss.job (id)',
  "update audit_entry set reason = ''",
  'delete from audit_entry',
  'insert into audit_entry select * from audit_entry',
  'update audit_head set sequence = 0',
  'delete from audit_head',
  "insert into audit_head values (false, 0, '')",
  'truncate audit_entry',
  'drop trigger audit_entry_kept on audit_entry',
  'alter table audit_entry disable trigger user',
  `set role ${ROLE}_owner`,
];

type Place = { readonly dataDir: string; readonly databaseUrl: string };
type Empty = Awaited<ReturnType<typeof createEmptyPostgresDatabase>>;

const folder = mkdtempSync(join(tmpdir(), 'waitlist-roles-'));
const made: Empty[] = [];

afterAll(async () => {
  for (const place of made) await place.remove();
  await withClient(inject('postgresUrl'), async (client) => {
    const pairs = [ROLE, FORMER, MANAGED].flatMap((role) => [role, `${role}_owner`]);
    for (const name of [...pairs, ADMIN]) await client.query(`drop role if exists ${name}`);
  });
  rmSync(folder, { recursive: true });
});

async function createEmpty(): Promise<Empty> {
  const place = await createEmptyPostgresDatabase();
  made.push(place);
  return place;
}

/** Runs the script for roles of another name as `user`, and gives them a password. */
async function addRoles(
  place: Empty,
  role = ROLE,
  user = place.databaseUrl,
): Promise<{ server: Place; owner: Place }> {
  await withClient(user, (client) =>
    client.query(SCRIPT.replace(/\bwaitlist(_owner)?\b/g, `${role}$1`)),
  );
  await withClient(place.databaseUrl, async (client) => {
    for (const name of [role, `${role}_owner`])
      await client.query(`alter role ${name} password '${PASSWORD}'`);
  });
  return { server: placeOf(place, role), owner: placeOf(place, `${role}_owner`) };
}

/** A new role that owns the database. */
async function giveAway(place: Empty, role: string, attributes = ''): Promise<Place> {
  const database = new URL(place.databaseUrl).pathname.slice(1);
  await withClient(place.databaseUrl, async (client) => {
    await client.query(`create role ${role} login password '${PASSWORD}' ${attributes}`);
    await client.query(`alter database ${database} owner to ${role}`);
  });
  return placeOf(place, role);
}

const placeOf = (place: Empty, user: string) => asUser(place, user, PASSWORD);

const open = (place: Place) => openDatabase({ ...place, log: () => {} });
const createTables = async (owner: Place) => await (await open(owner)).close();

let server: Place;
let owner: Place;
let backup: string;

const step = tellStory('a database whose owner and server are two roles');

step('a server without tables is refused in one sentence, and the owner creates them', async () => {
  ({ server, owner } = await addRoles(await createEmpty()));
  await expect(open(server)).rejects.toThrow(
    new RegExp(`^${LACKS} \\(permission denied for schema public\\): ${MIGRATE}, or ${SEE}$`),
  );
  await createTables(owner);
  await (await open(server)).close();
});

step('a server with a newer program is refused until the owner has migrated', async () => {
  const schema = readSchema();
  const { version } = schema.functions;
  const newer = { ...schema, functions: { ...schema.functions, version: version + 1 } };
  await withClient(server.databaseUrl, async (client) => {
    const runSql: RunSql = (text, values) => client.query(text, values) as never;
    await expect(migrate(runSql, newer)).rejects.toThrow(
      new RegExp(`^The database is older than this program, and ${MAY_NOT}: ${MIGRATE}\\.$`),
    );
  });
  const setQueueVersion = (change: string) =>
    withClient(owner.databaseUrl, (client) =>
      client.query(`update pgboss.version set version = version ${change}`),
    );
  await setQueueVersion('- 1');
  await expect(open(server)).rejects.toThrow(
    new RegExp(`^${LACKS} \\(must be owner of [^)]+\\): ${MIGRATE}`),
  );
  await setQueueVersion('+ 1');
});

step('every part of the product works for a role that owns nothing', async () => {
  const running = await serveInProcess({
    DATA_DIR: server.dataDir,
    DATABASE_URL: server.databaseUrl,
    LOG_LEVEL: 'warn',
  });
  const token = readFileSync(join(server.dataDir, 'operator-token'), 'utf8').trim();
  async function call(method: string, path: string, body?: object): Promise<Response> {
    const response = await fetch(running.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([200, 201, 204], `${method} ${path}`).toContain(response.status);
    return response;
  }
  const joinLine = async (email: string, referred_by: string | null) =>
    (await (await call('POST', apiPaths.join, { email, referred_by })).json()) as {
      id: string;
      referral_code: string;
    };
  try {
    const ada = await joinLine('ada@example.com', null);
    const grace = await joinLine('grace@example.com', ada.referral_code);
    const again = await fetch(running.url + apiPaths.join, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@example.com', referred_by: null }),
    });
    expect(again.status).toBe(409);
    await call('GET', fillPath(apiPaths.status, ada.id));
    await call('GET', fillPath(apiPaths.verifyReferral, ada.referral_code));
    // A mail was queued with the join, taken from the queue, and settled.
    const mailDir = join(server.dataDir, 'mail', grace.id);
    await expect
      .poll(() => readdirSync(mailDir).filter((name) => name.endsWith('.eml')))
      .toHaveLength(1);
    const change = (kind: string, input: object) =>
      call('POST', operatorPaths.changes, { kind, input, reason: 'a test' });
    await change('set-stock', { size: 'Small', stock: 30 });
    await call('POST', fillPath(operatorPaths.undoChange, '1'), { reason: 'they are not' });
    await change('allocate-masks', { size: 'Small', quantity: 1, note: 'press' });
    await change('adjust-points', { member_id: ada.id, by: 3 });
    await change('remove-members', { member_ids: [ada.id] });
    await call('POST', fillPath(operatorPaths.undoChange, '5'), { reason: 'she stays' });
    await call('POST', operatorPaths.resumeMail, { email: 'grace@example.com' });
    const begun = await call('POST', operatorPaths.imports, { file_name: 'a.csv', bytes: 9 });
    const { id } = (await begun.json()) as { id: string };
    await call('DELETE', fillPath(operatorPaths.listImport, id));
    const exported = await call('GET', `${operatorPaths.exportMembers}?format=csv`);
    expect((await exported.text()).trim().split('\n')).toHaveLength(3);
    backup = join(folder, 'line.backup');
    const bytes = await (await call('GET', operatorPaths.backup)).arrayBuffer();
    writeFileSync(backup, Buffer.from(bytes), { mode: 0o600 });
    await change('erase-member', { member: grace.id });
    const verified = await call('POST', operatorPaths.verify);
    const whole = { members: 1, differences: [], audit: { entries: 7 } };
    expect(await verified.json()).toMatchObject(whole);
  } finally {
    await running.stop();
  }
  expect(running.output()).not.toMatch(/denied|must be owner|failed/);
});

step('the upkeep of the mail queue needs no owner', async () => {
  const database = await open(server);
  try {
    const complaints: unknown[] = [];
    const boss = new PgBoss({
      db: { executeSql: database.runSql },
      migrate: false,
      createSchema: false,
      schedule: false,
      supervise: false,
    });
    boss.on('error', (error) => complaints.push(error));
    boss.on('warning', (warning) => complaints.push(warning));
    await boss.start();
    await boss.supervise(MAIL_QUEUE);
    await boss.stop({ graceful: false });
    expect(complaints).toEqual([]);
  } finally {
    await database.close();
  }
});

step('a server may change no table, function, audit entry or role', () =>
  withClient(server.databaseUrl, async (client) => {
    for (const statement of FORBIDDEN)
      await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
  }),
);

step('a server owns nothing, and what runs as the owner has a fixed search path', async () => {
  await withClient(server.databaseUrl, async (client) => {
    const { rows } = await client.query(`
      select (select count(*)::integer from pg_class where relowner = current_user::regrole)
          + (select count(*)::integer from pg_proc where proowner = current_user::regrole) as owned,
        array(select relname::text from pg_class where relkind = 'S'
          and relnamespace::regnamespace::text in ('public', 'pgboss')
          and oid not in (select objid from pg_depend where deptype = 'i')) as sequences,
        array(select proname::text || ' ' || proconfig[1] from pg_proc
          where prosecdef and pronamespace::regnamespace::text in ('public', 'pgboss')
          order by proname) as definers`);
    expect(rows).toEqual([{ owned: 0, sequences: [], definers: DEFINERS }]);
  });
});

step('a user with createrole makes the roles, and the owner restores a backup', async () => {
  const place = await createEmpty();
  const { databaseUrl } = await giveAway(place, ADMIN, 'createrole');
  await withClient(databaseUrl, async (client) => {
    for (const name of [MANAGED, `${MANAGED}_owner`]) {
      await client.query(`create role ${name} login`);
      await client.query(`grant ${name} to current_user`);
    }
  });
  const roles = await addRoles(place, MANAGED, databaseUrl);
  const from = { path: backup, log: () => {} };
  const restored = await restoreBackup({ ...roles.owner, secretKey: null }, from);
  expect(restored.members).toBe(2);
  const database = await open(roles.server);
  expect(await verifyLine(database)).toEqual({ members: 2, differences: [] });
  await expect(database.runSql('delete from schema_change')).rejects.toMatchObject({
    code: '42501',
  });
  await database.close();
});

test('a database that its server owned is handed to the owner, and still serves', async () => {
  const place = await createEmpty();
  await createTables(await giveAway(place, FORMER));
  const { server: former } = await addRoles(place, FORMER);
  const database = await open(former);
  await prepareSizes(database, brand);
  expect(await verifyLine(database)).toEqual({ members: 0, differences: [] });
  for (const statement of ['drop table member', 'delete from schema_functions'])
    await expect(database.runSql(statement)).rejects.toMatchObject({ code: '42501' });
  await database.close();
});
