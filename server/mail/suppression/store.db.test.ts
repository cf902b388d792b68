import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { prepareSizes } from '../../drop/stock/stock.ts';
import { openJoinQueue } from '../../line/join/join.ts';
import {
  findSuppressed,
  hasJoinedAnew,
  liftSuppression,
  readSuppression,
  type SuppressionReason,
  suppressAddress,
} from './store.ts';

const KEY = 'k'.repeat(43);

describe.each(oneEngine)('suppressed addresses on %s', (engine) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await openTestDatabase(engine);
  });
  afterAll(() => place.close());

  const suppress = (identity: string, reason: SuppressionReason) =>
    suppressAddress(place.database, KEY, { identity, reason });
  const reasonOf = async (identity: string) =>
    (await readSuppression(place.database, KEY, identity))?.reason ?? null;

  test('finds the suppressed addresses of a batch, and none in an empty batch', async () => {
    await suppress('stopped@example.com', 'stopped');
    await suppress('bounced@example.com', 'bounced');
    const asked = ['stopped@example.com', 'other@example.com', 'bounced@example.com'];
    const found = await findSuppressed(place.database, KEY, asked);
    expect([...found.keys()].sort()).toEqual([asked[0], asked[2]].sort());
    expect(await findSuppressed(place.database, KEY, [])).toEqual(new Map());
  });

  test.each<[SuppressionReason, SuppressionReason, SuppressionReason]>([
    ['stopped', 'bounced', 'bounced'],
    ['bounced', 'stopped', 'bounced'],
    ['bounced', 'complained', 'complained'],
    ['complained', 'bounced', 'complained'],
    ['complained', 'stopped', 'complained'],
    ['stopped', 'stopped', 'stopped'],
  ])('%s followed by %s is stored as %s', async (first, second, kept) => {
    const identity = `${first}-${second}@example.com`;
    await suppress(identity, first);
    await suppress(identity, second);
    expect(await reasonOf(identity)).toBe(kept);
  });

  test.each<[SuppressionReason, SuppressionReason | null]>([
    ['stopped', null],
    ['bounced', 'bounced'],
    ['complained', 'complained'],
  ])('resuming mail after %s leaves %s', async (reason, kept) => {
    const identity = `again-${reason}@example.com`;
    await suppress(identity, reason);
    await liftSuppression(place.database, KEY, identity, ['stopped']);
    expect(await reasonOf(identity)).toBe(kept);
  });

  test('who stopped mail before they joined by themselves has joined anew', async () => {
    const { database } = place;
    await prepareSizes(database, brand);
    const line = openJoinQueue({ database, brand });
    const judge = async (identity: string, change?: string) => {
      const join = { email: identity, referredBy: null, idempotencyKey: null };
      const { memberId } = await line.join(join);
      const id = memberId ?? '';
      if (change) await database.runSql(`update member set ${change} where id = '${id}'`);
      return await hasJoinedAnew(database, KEY, { id, identity });
    };
    for (const reason of ['stopped', 'bounced', 'complained'] as const)
      await suppress(`${reason}.anew@example.com`, reason);
    expect(await judge('stopped.anew@example.com')).toBe(true);
    expect(await judge('bounced.anew@example.com')).toBe(false);
    expect(await judge('complained.anew@example.com')).toBe(false);
    expect(await judge('other.anew@example.com')).toBe(false);
    // Whoever stops mail after joining has not, nor has whom an operator imports.
    await suppress('early.anew@example.com', 'stopped');
    expect(await judge('early.anew@example.com', "joined_at = joined_at - interval '1 day'")).toBe(
      false,
    );
    await suppress('import.anew@example.com', 'stopped');
    expect(await judge('import.anew@example.com', 'request_hash = md5(id::text)::uuid')).toBe(
      false,
    );
    await line.close();
  });

  test('the database stores no address, and another key finds nothing', async () => {
    const identity = 'in-secret@example.com';
    await suppress(identity, 'stopped');
    const rows = await place.database.kysely.selectFrom('mail_suppression').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/secret|example/);
    for (const { address_hash: hash } of rows) expect(hash).toMatch(/^[\w-]{43}$/);
    expect(await findSuppressed(place.database, 'q'.repeat(43), [identity])).toEqual(new Map());
  });
});
