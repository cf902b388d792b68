/** Work of every kind goes on behind its last step, whatever its server was killed at. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { openLongChanges } from '../../server/changes/long-changes.ts';
import { applyOperation, undoChange } from '../../server/changes/make-changes.ts';
import type { Operation, Operations } from '../../server/changes/operation.ts';
import { readConfig } from '../../server/config.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { forgetCopy } from '../../server/db/possible-copy.ts';
import { run } from '../../server/db/rows.ts';
import { inTransaction, type Transaction } from '../../server/db/transaction.ts';
import { type Job, openEngine } from '../../server/durable-work/work.ts';
import {
  deleteImports,
  insertChunk,
  insertImport,
  updateImport,
} from '../../server/members/imports/import-store.ts';
import { beginCheck, receiveChunk } from '../../server/members/imports/receive-import.ts';
import { beginRun, type ImportRun } from '../../server/members/imports/run-store.ts';
import { openWalks } from '../../server/members/imports/walk-import.ts';
import { deliverEvents } from '../../server/webhooks/deliver-events.ts';
import { beginServing, insertEndpoint } from '../../server/webhooks/endpoint-store.ts';
import { captureLog } from '../support/captured-log.ts';
import {
  createEmptyPostgresDatabase,
  oneEngine,
  openTestDatabase,
  type TestDatabase,
} from '../support/engines.ts';
import { mortalDatabase } from '../support/mortal-database.ts';
import { readState, STATE_SECRET_KEY } from '../support/stored-states.ts';

const ITEMS = ['a', 'b', 'c'];
const ACTOR = { kind: 'system', id: null, name: 'test' } as const;
const OPTIONS = { file: 'x.csv', rows: 3, isConfirmed: true, givesCredit: true, mail: null };
const LIST = ITEMS.map((item) => `${item}@example.com\n`).join('');
const MAPPING = { columns: { email: 0 }, order: 'file' } as const;
const FORMAT = {
  encoding: 'utf-8',
  separator: ',',
  columns: [{ name: 'email', samples: [], suggested: null }],
};
const FILE = { ...FORMAT, has_header: false, sha256: 'sum' };
const UNDER_WAY = 'It began. It is not done yet, and goes on by itself.';

/** Ids of events that a receiver got. */
const received = new Set<string>();
async function post({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  received.add(headers['webhook-id'] ?? '');
  return { status: 200, cause: null, answer: null, durationMs: 1 };
}

const note = (transaction: Transaction, name: string) =>
  run(transaction)`insert into effect (name) values (${name})`;

const longOperation: Operation = {
  lock: 'line',
  apply: async () => ({ summary: 'It began.', subject: null, undo: { items: ITEMS } }),
  undo: async () => ({ summary: 'The undo began.' }),
  long: {
    isLong: () => true,
    open: ({ items }: { items: readonly string[] }, isUndo) => ({
      partAfter(last) {
        const item = items.find((one) => last === null || one > last);
        if (item === undefined) return null;
        return {
          last: item,
          async make(transaction) {
            await note(transaction, isUndo ? `not ${item}` : item);
            return 1;
          },
        };
      },
      summarize: (done) => `${done} items are done.`,
    }),
  },
};

// Servers of these tests look for work when they are told.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval'] }));
afterAll(() => void vi.useRealTimers());

/** A server whose engine has all kinds. */
async function openServer(database: Database, isStopping = () => false) {
  const log = captureLog();
  const engine = await openEngine({ database, log: log.logger, isStopping });
  const operations = { 'decide-credits': longOperation } as unknown as Operations;
  const longChanges = openLongChanges(engine, { database, operations });
  const options = { database, config: readConfig({}), operations, longChanges };
  const walks = openWalks({ database, secretKey: 'secret', engine });
  const stop = deliverEvents({
    database,
    brand,
    secretKey: 'secret',
    post,
    log: log.logger as never,
    engine,
    onAttempt: () => {},
  });
  async function beginImport(goal: ImportRun['goal'], id: string) {
    await inTransaction(database, (transaction) =>
      walks.imports.begin(transaction, id, beginRun(goal, OPTIONS)),
    );
    await walks.imports.finish(id);
  }
  return {
    engine,
    log: log.text,
    async goOn() {
      await beginServing(database);
      await Promise.all(await engine.goOn());
    },
    async close() {
      await Promise.all([stop(), engine.close()]);
    },
    async change() {
      const wanted = { kind: 'decide-credits', input: { state: 'held' } } as const;
      const by = { actor: ACTOR, reason: 'a test' };
      return await applyOperation(options, { ...wanted, operation: longOperation }, by);
    },
    async undo(change: string) {
      const by = { actor: ACTOR, may: new Set<never>(), reason: 'a mistake' };
      return await undoChange(options, Number(change), by);
    },
    receive: (id: string) => receiveChunk(walks, id, { firstByte: 0, bytes: Buffer.from(LIST) }),
    async check(id: string) {
      await beginCheck(walks, id, MAPPING);
      await walks.lists.finish(id);
    },
    join: (id: string) => beginImport('join', id),
    leave: (id: string) => beginImport('leave', id),
  };
}

type Server = Awaited<ReturnType<typeof openServer>>;

describe.each(oneEngine)('work on %s', (name) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await openTestDatabase(name);
    await sql('create table effect (name text)');
  });
  beforeEach(async () => {
    await sql('delete from work');
    await sql('delete from effect');
  });
  afterAll(() => place.close());

  const sql = async (text: string) =>
    (await place.database.runSql<Record<string, unknown>>(text)).rows;
  const effects = async () =>
    (await sql('select name from effect order by ctid')).map((row) => row.name);
  /** Statements that a dead server had sent take effect a moment later. */
  const untilQuiet = () =>
    expect
      .poll(() =>
        sql(`select query from pg_stat_activity where datname = current_database()
          and pid <> pg_backend_pid() and state <> 'idle'`),
      )
      .toEqual([]);
  /** Lets claims and back-offs of dead servers end. */
  const laterOn = () => sql(`update work set claimed_until = '-infinity', due_at = '-infinity'`);
  const readLast = async () => String((await sql('select sequence from audit_head'))[0]?.sequence);

  const members = async () =>
    (await sql('select email from member order by sequence')).map(({ email }) => email);
  const isDecided = async (before: string) => (await readLast()) !== before;

  async function uploadList(state: 'importing' | 'received' = 'importing'): Promise<string> {
    await sql('delete from member');
    await sql('delete from list_import');
    const bytes = Buffer.from(LIST);
    const { database } = place;
    const { id } = await insertImport(database, { fileName: 'x.csv', bytes: bytes.length });
    await inTransaction(database, async (transaction) => {
      await insertChunk(transaction, { importId: id, firstByte: 0, bytes });
      await updateImport(transaction, id, { state, file: FILE, mapping: MAPPING });
    });
    return id;
  }

  const listStates = async () =>
    (await sql('select state from list_import')).map((row) => row.state);

  /** Events about members who have left, for one endpoint. */
  async function addEvents(): Promise<string> {
    received.clear();
    await sql('delete from webhook_endpoint');
    const id = await inTransaction(place.database, (transaction) =>
      insertEndpoint(transaction, { url: 'https://example.com/', events: ['member.left'] }),
    );
    await sql(`insert into line_event (sequence, kind, happened_at, member_ids)
      select next_sequence, 'left', now(), array[${ITEMS.map(() => 'gen_random_uuid()')}]
      from webhook_endpoint`);
    return id;
  }
  const deliveries = async () => {
    const rows = await sql('select event_id, state from webhook_delivery');
    expect(new Set(rows.map((row) => row.event_id))).toEqual(received);
    return rows.map((row) => row.state);
  };

  /** What is there before the kill, what a server is killed at, and what comes of it. */
  type Kind = {
    readonly prepare: (server: Server) => Promise<string>;
    readonly make: (server: Server, key: string) => Promise<unknown>;
    readonly read: () => Promise<unknown[]>;
    readonly made: readonly string[];
    /** What is there if the server died before the decision. */
    readonly unmade: readonly string[];
    /** Whether it has ended; otherwise the decision is in the audit log. */
    readonly isEnded?: () => Promise<boolean>;
  };
  const addresses = ITEMS.map((item) => `${item}@example.com`);
  const KINDS: Readonly<Record<string, Kind>> = {
    'a long change': {
      prepare: readLast,
      make: (server) => server.change(),
      read: effects,
      made: ITEMS,
      unmade: [],
    },
    'its undo': {
      async prepare(server) {
        await server.change();
        await sql('delete from effect');
        return await readLast();
      },
      make: (server, change) => server.undo(change),
      read: effects,
      made: ITEMS.map((item) => `not ${item}`),
      unmade: [],
    },
    'the description of a list': {
      async prepare() {
        await sql('delete from list_import');
        const { id } = await insertImport(place.database, { fileName: 'x', bytes: LIST.length });
        return id;
      },
      make: (server, id) => server.receive(id),
      read: listStates,
      made: ['received'],
      unmade: ['receiving'],
      isEnded: async () => (await listStates()).includes('received'),
    },
    'the check of a list': {
      prepare: () => uploadList('received'),
      make: (server, id) => server.check(id),
      read: listStates,
      made: ['checked'],
      unmade: ['received'],
      isEnded: async () => (await listStates()).includes('checked'),
    },
    'an import': {
      prepare: () => uploadList(),
      make: (server, id) => server.join(id),
      read: members,
      made: addresses,
      unmade: [],
    },
    'the undo of an import': {
      async prepare(server) {
        const id = await uploadList();
        await server.join(id);
        return id;
      },
      make: (server, id) => server.leave(id),
      read: members,
      made: [],
      unmade: addresses,
    },
    'the delivery of events': {
      prepare: addEvents,
      make: (server) => server.goOn(),
      read: deliveries,
      made: ITEMS.map(() => 'delivered'),
      unmade: ITEMS.map(() => 'delivered'),
    },
  };

  test.each(Object.entries(KINDS))(
    '%s is made once, whatever its server is killed at',
    async (_, { prepare, make, read, made, unmade, isEnded }) => {
      for (let number = 1, isKilled = true; isKilled; number += 1) {
        const next = await openServer(place.database);
        await sql('delete from effect');
        const key = await prepare(next);
        const before = await readLast();
        const { database, dieAt, isDead, died } = mortalDatabase(place.database);
        const mortal = await openServer(database);
        dieAt(number);
        const closed = died.then(mortal.close);
        await make(mortal, key).catch(() => {});
        isKilled = isDead();
        await (isKilled ? closed : mortal.close());
        await untilQuiet();
        const hasWork = (await sql('select from work')).length > 0;
        const isBegun = hasWork || (await (isEnded?.() ?? isDecided(before)));
        await laterOn();
        await next.goOn();
        expect(await read()).toEqual(isBegun ? made : unmade);
        expect(await sql('select from work')).toEqual([]);
        await next.close();
      }
    },
  );

  test('it is left to the server that began it, and else to the next one', async () => {
    let isStopping = false;
    const server = await openServer(place.database, () => isStopping);
    const other = await openServer(place.database);
    isStopping = true;
    expect(await server.change()).toMatchObject({ summary: UNDER_WAY, undo_until: null });
    expect(await effects()).toEqual([]);
    await Promise.all([other.goOn(), other.goOn()]);
    expect(await effects()).toEqual(ITEMS);
  });

  test('the check of a deleted list is no work any more', async () => {
    const id = await uploadList('received');
    const stopping = await openServer(place.database, () => true);
    await stopping.check(id);
    expect(await sql('select from work')).toHaveLength(1);
    await deleteImports(place.database, { id });
    expect(await sql('select from work')).toEqual([]);
    expect(await listStates()).toEqual([]);
  });

  /** Begins work of a kind that only tests have. */
  async function openOwn(work: (job: Job<number>) => Promise<void>) {
    const server = await openServer(place.database);
    const own = server.engine.addKind<number>({ name: 'own', run: work });
    const begin = () =>
      place.database.kysely.transaction().execute((transaction) => own.begin(transaction, 'x', 0));
    return { ...server, own, begin };
  }

  test('a server that was taken for dead makes no further step', async () => {
    const held = Promise.withResolvers<void>();
    const slow = await openOwn(async (job) => {
      await job.step(async (transaction) => {
        await note(transaction, 'first');
        return 1;
      });
      await held.promise;
      expect(await job.isHeld()).toBe(false);
      await job.step(async (transaction) => void (await note(transaction, 'late')));
    });
    const next = await openOwn(async (job) => {
      await job.step(async (transaction) => {
        await note(transaction, `behind ${job.progress}`);
        return null;
      });
    });
    await slow.begin();
    const finished = slow.own.finish('x');
    await expect.poll(effects).toEqual(['first']);
    await next.goOn();
    expect(await effects()).toEqual(['first']);
    await laterOn();
    await next.goOn();
    held.resolve();
    expect(await finished).toBeNull();
    expect(await effects()).toEqual(['first', 'behind 1']);
  });

  test('what fails is tried again later every time, until its kind gives it up', async () => {
    const server = await openOwn(async (job) => {
      if (job.failures === 3) return await job.step(async () => null);
      throw new Error(`failure ${job.failures + 1}`);
    });
    await server.begin();
    const delays: number[] = [];
    for (let tried = 1; tried <= 3; tried += 1) {
      expect(await server.own.finish('x')).toBeNull();
      expect(server.log()).toContain(`failure ${tried}`);
      await server.goOn();
      const [row] = await sql(
        'select failures, extract(epoch from due_at - clock_timestamp())::float as delay from work',
      );
      expect(row?.failures).toBe(tried);
      delays.push(Number(row?.delay));
    }
    expect(delays[2]).toBeGreaterThan((delays[0] ?? 0) * 2);
    await laterOn();
    await server.goOn();
    expect(await sql('select from work')).toEqual([]);
  });

  test('after the clock was set back it goes on at once', async () => {
    const server = await openOwn((job) => job.step(async () => null));
    await server.begin();
    await sql(`update work set (claimed_until, due_at) = (moment, moment)
      from (select now() + interval '2 hours' as moment) later`);
    await server.goOn();
    expect(await sql('select from work')).toEqual([]);
  });
});

describe('what an earlier program had under way', () => {
  const JOINING = '00000000-0000-4000-8000-000000000001';
  const LEAVING = '00000000-0000-4000-8000-000000000002';
  const CHECKED = '00000000-0000-4000-8000-000000000003';
  const DONE = '00000000-0000-4000-8000-000000000004';
  const insertList = (id: string, state: string) => `
    insert into list_import (
      id, file_name, byte_count, received, state, sha256, format, mapping, check_id, checked_at)
    values ('${id}', 'x.csv', ${LIST.length}, ${LIST.length}, '${state}', 'sum',
      '${JSON.stringify({ ...FORMAT, hasHeader: false })}', '${JSON.stringify(MAPPING)}',
      gen_random_uuid(), now());
    select open_import_part('chunk', '${id}');
    insert into list_import_chunk (import_id, first_byte, bytes)
    values ('${id}', 0, convert_to('${LIST}', 'UTF8'));`;
  const insertRun = (id: string, goal: string, isDone: boolean, done: number) => `
    insert into import_run (import_id, goal, is_done, options, done_to, moved)
    values ('${id}', '${goal}', ${isDone}, '${JSON.stringify(OPTIONS)}', ${done}, ${done});`;
  const FILL = `
    ${insertList(JOINING, 'importing')} ${insertRun(JOINING, 'join', false, 2)}
    ${insertList(CHECKED, 'checking')}
    ${insertRun(LEAVING, 'leave', false, 0)} ${insertRun(DONE, 'join', true, 3)}
    insert into import_piece select '${LEAVING}', max(sequence), max(sequence) from member
    where not exists (select from member friend where friend.referrer_id = member.id);
    insert into undo_record (audit_sequence, data, until)
    values (-1, '{"importId": "${DONE}"}', now() + interval '1 hour');
    insert into undo_record (audit_sequence, data, until, done_until, done)
    select append_audit('system', null, 'test', 'decide-credits', null, null, 'a test', '{}'),
      '{"items": ["a", "b", "c"]}', 'infinity', 'a', 1;
    insert into webhook_endpoint (url, events, next_sequence, held_by, held_until)
    select 'https://example.com/', '{member.left}', coalesce(max(sequence), 0) + 1,
      gen_random_uuid(), now() + interval '10 seconds' from line_event;
    insert into webhook_delivery (endpoint_id, event_id, kind, happened_at, sequence, ordinal)
    select id, 'waiting', 'member.left', now(), 0, 0 from webhook_endpoint;
    insert into line_event (sequence, kind, happened_at, member_ids)
    select next_sequence, 'left', now(), array[gen_random_uuid()] from webhook_endpoint;
    create table effect (name text);`;

  test('goes on where it was', async () => {
    const { remove, ...place } = await createEmptyPostgresDatabase();
    const { backup: path, schema } = readState('0053-campaign-numbers');
    const line = { ...place, secretKey: STATE_SECRET_KEY };
    await restoreBackup(line, { path, log: () => {}, schema });
    const earlier = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
    const fill = FILL.split(/;\n/);
    for (const statement of fill) await earlier.runSql(statement);
    const { rows: leaving } = await earlier.runSql('select first_sequence from import_piece');
    await earlier.close();

    received.clear();
    const database = await openDatabase({ ...place, log: () => {} });
    const sql = async (text: string) => (await database.runSql<{ it: unknown }>(text)).rows;
    const read = async (text: string) => (await sql(text)).map(({ it }) => it);
    await forgetCopy(database);
    const server = await openServer(database);
    await server.goOn();
    await server.close();
    expect(await read('select kind as it from work')).toEqual([]);
    expect(await read('select name as it from effect order by ctid')).toEqual(['b', 'c']);
    expect(await read(`select email as it from member where email like '_@example.com'`)).toEqual([
      'c@example.com',
    ]);
    const { first_sequence: left } = leaving[0] as { first_sequence: number };
    expect(await read(`select 1 as it from member where sequence = ${left}`)).toEqual([]);
    expect(
      await read(`select details->>'summary' as it from audit_entry where actor_name = 'import'`),
    ).toEqual(
      expect.arrayContaining([
        '3 members joined from x.csv, 0 rows of it were left out.',
        '1 imported member left the line again.',
      ]),
    );
    expect(await read('select state as it from list_import order by id')).toEqual([
      'imported',
      'checked',
    ]);
    expect(
      await read(`select data->'options' as it from undo_record where audit_sequence = -1`),
    ).toEqual([OPTIONS]);
    expect(await read('select state as it from webhook_delivery')).toEqual([
      'delivered',
      'delivered',
    ]);
    expect(received).toContain('waiting');
    await database.close();
    await remove();
  });
});
