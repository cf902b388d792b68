/** Work of every kind goes on behind its last step, whatever its server was killed at. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openLongChanges } from '../../server/changes/long-changes.ts';
import { applyOperation, undoChange } from '../../server/changes/make-changes.ts';
import type { Operation, Operations } from '../../server/changes/operation.ts';
import { readConfig } from '../../server/config.ts';
import type { Database } from '../../server/db/database.ts';
import { run } from '../../server/db/rows.ts';
import { inTransaction, type Transaction } from '../../server/db/transaction.ts';
import {
  insertChunk,
  insertImport,
  updateImport,
} from '../../server/members/imports/import-store.ts';
import { beginRun, type ImportRun } from '../../server/members/imports/run-store.ts';
import { openWalks } from '../../server/members/imports/walk-import.ts';
import { type Job, openEngine } from '../../server/work/work.ts';
import { captureLog } from '../support/captured-log.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { DEATHS, mortalDatabase } from '../support/mortal-database.ts';

const ITEMS = ['a', 'b', 'c'];
const ACTOR = { kind: 'system', id: null, name: 'test' } as const;
const OPTIONS = { file: 'x.csv', rows: 3, isConfirmed: true, givesCredit: true, mail: null };
const UNDER_WAY = 'It began. It is not done yet, and goes on by itself.';

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

/** A server whose engine has all kinds. */
async function openServer(database: Database, isStopping = () => false) {
  const log = captureLog();
  const engine = await openEngine({ database, log: log.logger, isStopping });
  const operations = { 'decide-credits': longOperation } as unknown as Operations;
  const longChanges = openLongChanges(engine, { database, operations });
  const options = { database, config: readConfig({}), operations, longChanges };
  const { imports } = openWalks({ database, secretKey: 'secret', engine });
  async function beginImport(goal: ImportRun['goal'], id: string) {
    await inTransaction(database, (transaction) =>
      imports.begin(transaction, id, beginRun(goal, OPTIONS)),
    );
    await imports.finish(id);
  }
  return {
    engine,
    log: log.text,
    goOn: async () => await Promise.all(await engine.goOn()),
    async change() {
      const wanted = { kind: 'decide-credits', input: { state: 'held' } } as const;
      const by = { actor: ACTOR, reason: 'a test' };
      return await applyOperation(options, { ...wanted, operation: longOperation }, by);
    },
    async undo(change: string) {
      const by = { actor: ACTOR, may: new Set<never>(), reason: 'a mistake' };
      return await undoChange(options, Number(change), by);
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
  /** Lets claims and back-offs of dead servers end. */
  const laterOn = () => sql(`update work set claimed_until = '-infinity', due_at = '-infinity'`);
  const readLast = async () => String((await sql('select sequence from audit_head'))[0]?.sequence);

  const members = async () =>
    (await sql('select email from member order by sequence')).map(({ email }) => email);
  const isDecided = async (before: string) => (await readLast()) !== before;

  async function uploadList(): Promise<string> {
    await sql('delete from member');
    const bytes = Buffer.from(ITEMS.map((item) => `${item}@example.com\n`).join(''));
    const { database } = place;
    const { id } = await insertImport(database, { fileName: 'x.csv', bytes: bytes.length });
    const columns = [{ name: 'email', samples: [] }];
    const format = { encoding: 'utf-8', separator: ',', hasHeader: false, columns } as never;
    await inTransaction(database, async (transaction) => {
      await insertChunk(transaction, { importId: id, firstByte: 0, bytes });
      const mapping = { columns: { email: 0 }, order: 'file' } as const;
      const described = { format, mapping, sha256: 'sum' };
      await updateImport(transaction, { id }, { state: 'importing', ...described });
    });
    return id;
  }

  /** What is there before the kill, what a server is killed at, and what comes of it. */
  type Kind = {
    readonly prepare: (server: Server) => Promise<string>;
    readonly make: (server: Server, key: string) => Promise<unknown>;
    readonly read: () => Promise<unknown[]>;
    readonly made: readonly string[];
    /** What is there if the server died before the decision. */
    readonly unmade: readonly string[];
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
    'an import': {
      prepare: uploadList,
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
  };

  test.each(Object.entries(KINDS))(
    '%s is made once, whatever its server is killed at',
    async (_, { prepare, make, read, made, unmade }) => {
      const next = await openServer(place.database);
      for (const at of DEATHS)
        for (let number = 1, isKilled = true; isKilled; number += 1) {
          await sql('delete from effect');
          const key = await prepare(next);
          const before = await readLast();
          const { database, isDead } = mortalDatabase(place.database, { at, number });
          await make(await openServer(database), key).catch(() => {});
          isKilled = isDead();
          const isBegun = (await sql('select from work')).length > 0 || (await isDecided(before));
          await laterOn();
          await next.goOn();
          expect(await read()).toEqual(isBegun ? made : unmade);
          expect(await sql('select from work')).toEqual([]);
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
        'select failures, extract(epoch from due_at - clock_timestamp())::float8 as delay from work',
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
    await sql(`update work set claimed_until = now() + interval '2 hours', due_at = claimed_until`);
    await sql(`update work set due_at = claimed_until`);
    await server.goOn();
    expect(await sql('select from work')).toEqual([]);
  });
});
