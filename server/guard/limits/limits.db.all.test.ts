import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readReferralCode, referralCode } from '../../../contract/referral-code-rules.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { listTables } from '../../backup/store.ts';
import { openSnapshot } from '../../db/snapshot.ts';
import {
  ALL_GUESSES,
  ALL_JOINS,
  GUESSES_PER_IP,
  JOINS_PER_CODE,
  JOINS_PER_IP,
  LINK_USES_PER_MEMBER,
  type LimitRule,
  MAX_KEYS,
  windowAt,
} from './limit-rules.ts';
import { type Limits, openKeyHash, openLimits } from './limits.ts';
import { deleteExpiredCounts } from './store.ts';

const SECRET_KEY = 'k'.repeat(43);
const CODE = '0123456789';
/** Longer than a settle interval of the embedded engine. */
const IDLE_MS = 3_000;
/** A code of its own for each number. */
const codeOf = (number: number) =>
  referralCode(new Uint8Array(10).fill(1).map((_, at) => number >> (4 * at)));

/** The part of a window that a test needs to count within it. */
const SPACE = 0.05;

describe.each(oneEngine)('limits on %s', (engine) => {
  let place: TestDatabase;
  let opened: Limits[];
  let failures: unknown[];
  beforeAll(async () => {
    place = await openTestDatabase(engine);
  });
  afterAll(() => place.close());
  beforeEach(() => {
    opened = [];
    failures = [];
  });
  afterEach(async () => {
    for (const limits of opened) await limits.close();
    await place.database.runSql('delete from limit_count');
  });

  async function open(): Promise<Limits> {
    const limits = await openLimits({
      config: { isLimiting: true, trustProxy: [] },
      database: place.database,
      secretKey: SECRET_KEY,
      onFailure: (error) => failures.push(error),
    });
    opened.push(limits);
    return limits;
  }

  let emails = 0;
  const join = (limits: Limits, { ip = '192.0.2.1', code = null as string | null } = {}) => {
    emails += 1;
    return limits.countJoin({
      ip,
      identity: `visitor${emails}@example.com`,
      code: readReferralCode(code ?? ''),
    });
  };

  /** Waits for the next window when this one is nearly over. */
  async function untilFree(rule: LimitRule): Promise<void> {
    const { passed } = windowAt(rule, Date.now());
    if (passed > 1 - SPACE) await delay((1 - passed) * rule.seconds * 1000 + 50);
  }

  /** Stores a count of the current window, as if other servers had made it. */
  async function keep(rule: LimitRule, text: string, count: number): Promise<void> {
    await untilFree(rule);
    const lengthMs = rule.seconds * 1000;
    const { index } = windowAt(rule, Date.now());
    const key = openKeyHash(SECRET_KEY)(rule.name, text);
    await place.database.runSql(
      `insert into limit_count (rule, key, count, began_at, expires_at)
       values ($1, $2, $3, $4, $5)`,
      [rule.name, key, count, new Date(index * lengthMs), new Date((index + 2) * lengthMs)],
    );
  }

  async function readRows() {
    const { rows } = await place.database.runSql<{ rule: string; key: string; count: number }>(
      'select * from limit_count order by rule',
    );
    return rows;
  }

  test('joins by a code need a proof, then end: on all servers, for this code only', async () => {
    await keep(JOINS_PER_CODE, CODE, (JOINS_PER_CODE.proofThreshold ?? 0) - 1);
    const first = await open();
    expect(join(first, { code: CODE.toLowerCase() })).toBe('pass');
    expect(join(first, { code: CODE })).toBe('prove');
    expect(join(first, { code: 'ZZZZZZZZZZ' })).toBe('pass');
    await first.close();
    await place.database.runSql('update limit_count set count = $1', [JOINS_PER_CODE.max - 1]);
    const limits = await open();
    expect(join(limits, { code: CODE })).toBe('prove');
    expect(() => join(limits, { code: ` ${CODE.toLowerCase()} ` })).toThrow(/^This invite .*[.]$/);
    expect(join(limits, { code: 'ZZZZZZZZZZ' })).toBe('pass');
    expect(join(limits)).toBe('pass');
  });

  test('more joins than a window has space for need no proof', async () => {
    const limits = await open();
    for (let joined = 0; joined <= MAX_KEYS; joined += 1) {
      const identity = `visitor${joined}@example.com`;
      limits.countJoin({ ip: '127.0.0.1', identity, code: codeOf(joined) });
      limits.refundEmail(identity);
    }
    expect(join(limits, { ip: '127.0.0.1', code: CODE })).toBe('pass');
  });

  test('joins of all visitors need a proof from the threshold and end at the limit', async () => {
    await keep(ALL_JOINS, '', ALL_JOINS.max - 1);
    const limits = await open();
    expect(join(limits)).toBe('prove');
    expect(() => join(limits, { ip: '192.0.2.2' })).toThrow(/^Too many requests/);
    expect(() => join(limits, { ip: '127.0.0.1' })).toThrow(/^Too many requests/);
  });

  /** Looks up codes that are all wrong. Returns how many are answered as wrong. */
  function guess(limits: Limits, ip: string, times: number): number {
    let answered = 0;
    for (let round = 0; round < times; round++) {
      try {
        limits.admitLookUp(ip);
        limits.countWrongCode(ip);
        answered += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'rate_limited' });
      }
    }
    return answered;
  }

  test('too many wrong codes in all close look-ups to guessers, and to nobody else', async () => {
    await keep(ALL_GUESSES, '', ALL_GUESSES.max - 100);
    const limits = await open();
    // A guess without an answer counts: its code was looked up.
    expect(guess(limits, '192.0.2.7', 100)).toBe(GUESSES_PER_IP.max);
    expect(() => limits.admitLookUp('192.0.2.7')).toThrow(/^Too many requests/);
    expect(() => limits.admitLookUp('127.0.0.1')).toThrow(/^Too many requests/);
    expect(() => limits.admitLookUp('192.0.2.8')).not.toThrow();
    // A guesser with many addresses has the look-ups of each address, and gets no answer.
    expect(guess(limits, '192.0.2.8', GUESSES_PER_IP.max)).toBe(0);
    expect(() => limits.admitLookUp('192.0.2.8')).toThrow(/^Too many requests/);
  });

  test('a member has a limit of link openings, whatever the addresses', async () => {
    await untilFree(LINK_USES_PER_MEMBER);
    const limits = await open();
    const [one, other] = ['11111111-1111-4111-8111-111111111111', 'another member'];
    for (let round = 0; round < LINK_USES_PER_MEMBER.max / 2; round++) {
      limits.countLinkOpening(one);
      limits.countLinkUse({ ip: `192.0.2.${round}`, memberId: one });
    }
    expect(() => limits.countLinkOpening(one)).toThrow(/^Too many requests/);
    expect(() => limits.countLinkUse({ ip: '192.0.2.200', memberId: one })).toThrow(
      /^Too many requests/,
    );
    expect(() => limits.countLinkOpening(other)).not.toThrow();
  });

  test('loopback addresses need no proof, however often they join', async () => {
    const limits = await open();
    const risks = Array.from({ length: 1_000 }, () => join(limits, { ip: '127.0.0.1' }));
    expect(new Set(risks)).toEqual(new Set(['pass']));
  });

  test('counting goes on without the database, and is stored once it is back', async () => {
    await untilFree(JOINS_PER_IP);
    const limits = await open();
    // Sequences count what is rolled back, too.
    await place.database.runSql(`
      create sequence refused_settles;
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'away %', nextval('refused_settles'); end $$;
      create trigger refuse before insert on limit_count execute function refuse()`);
    for (let round = 0; round < 100; round++) join(limits);
    await expect.poll(() => failures.length, { timeout: 10_000 }).toBe(1);
    for (let round = 0; round < 140; round++) join(limits);
    expect(() => join(limits)).toThrow(/^Too many requests/);
    const readRefused = () =>
      place.database.runSql('select last_value > 2 as are_more from refused_settles');
    await expect.poll(async () => (await readRefused()).rows).toEqual([{ are_more: true }]);
    expect(failures).toHaveLength(1);
    await place.database.runSql('drop function refuse cascade; drop sequence refused_settles');
    await expect
      .poll(async () => (await readRows()).map(({ count }) => count), { timeout: 10_000 })
      .toContain(240);
  });

  test('visitors seen once are not stored; an idle server sends the database nothing', async () => {
    await untilFree(JOINS_PER_IP);
    const limits = await open();
    for (let round = 0; round < 500; round++) join(limits, { ip: `192.0.2.${round % 250}` });
    // Stored at once with all that is to be stored.
    for (let round = 0; round < JOINS_PER_IP.sharedFrom; round++)
      join(limits, { ip: '198.51.100.1' });
    const stored = async () => (await readRows()).map(({ rule, count }) => [rule, count]);
    await expect.poll(stored).toEqual([[JOINS_PER_IP.name, JOINS_PER_IP.sharedFrom]]);
    const readLog = async () =>
      (await place.database.runSql('select pg_current_wal_insert_lsn() as at')).rows;
    if (engine === 'embedded') {
      const before = await readLog();
      await delay(IDLE_MS);
      expect(await readLog()).toEqual(before);
    }
  });

  test('servers that settle the same keys in other orders do not deadlock, and agree', async () => {
    const both = [await open(), await open()];
    const ips = Array.from({ length: 200 }, (_, index) => `198.51.100.${index}`);
    await untilFree(JOINS_PER_IP);
    const readCounts = async () =>
      (await readRows()).filter(({ rule }) => rule === JOINS_PER_IP.name).map(({ count }) => count);
    let joins = 0;
    // The first counts are not stored; later ones change rows that are there.
    for (const more of [JOINS_PER_IP.sharedFrom, 10, 10]) {
      joins += 2 * more;
      for (let round = 0; round < more; round++) {
        for (const ip of ips) join(both[0] as Limits, { ip });
        for (const ip of ips.toReversed()) join(both[1] as Limits, { ip });
      }
      await expect.poll(readCounts).toEqual(ips.map(() => joins));
    }
    expect(failures).toEqual([]);
  });

  test('only the rows of windows that are over are deleted', async () => {
    await keep(JOINS_PER_CODE, 'now', 5);
    await keep(JOINS_PER_CODE, 'over', 5);
    const [stays, over] = await readRows();
    await place.database.runSql('update limit_count set expires_at = $1 where key = $2', [
      new Date(Date.now() - 1_000),
      over?.key,
    ]);
    await deleteExpiredCounts(place.database);
    expect(await readRows()).toEqual([stays]);
  });

  test('a backup, which holds the secret key, holds no counts', async () => {
    const snapshot = await openSnapshot(place.database);
    const tables = await listTables(snapshot);
    await snapshot.rollback().execute();
    expect(tables).toContain('member');
    expect(tables).not.toContain('limit_count');
  });
});
