import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import {
  findSuppressed,
  getSuppression,
  resumeAddress,
  type SuppressionReason,
  suppressAddress,
} from './suppression.ts';

const KEY = 'k'.repeat(43);

describe.each(engines)('suppressed addresses on %s', (engine) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await openTestDatabase(engine);
  });
  afterAll(() => place.close());

  const suppress = (identity: string, reason: SuppressionReason) =>
    suppressAddress(place.database, KEY, { identity, reason });
  const reasonOf = async (identity: string) => (await getSuppression(place.database, KEY, identity))?.reason ?? null;

  test('of a batch those that are not written to are found, and none at all in an empty one', async () => {
    await suppress('stopped@example.com', 'stopped');
    await suppress('bounced@example.com', 'bounced');
    const asked = ['stopped@example.com', 'other@example.com', 'bounced@example.com'];
    expect(await findSuppressed(place.database, KEY, asked)).toEqual(new Set([asked[0], asked[2]]));
    expect(await findSuppressed(place.database, KEY, [])).toEqual(new Set());
  });

  test.each<[SuppressionReason, SuppressionReason, SuppressionReason]>([
    ['stopped', 'bounced', 'bounced'],
    ['bounced', 'stopped', 'bounced'],
    ['bounced', 'complained', 'complained'],
    ['complained', 'bounced', 'complained'],
    ['complained', 'stopped', 'complained'],
    ['stopped', 'stopped', 'stopped'],
  ])('%s and then %s is %s', async (first, second, kept) => {
    const identity = `${first}-${second}@example.com`;
    await suppress(identity, first);
    await suppress(identity, second);
    expect(await reasonOf(identity)).toBe(kept);
  });

  test.each<[SuppressionReason, SuppressionReason | null]>([
    ['stopped', null],
    ['bounced', 'bounced'],
    ['complained', 'complained'],
  ])('who is asked again after %s is left as %s', async (reason, kept) => {
    const identity = `again-${reason}@example.com`;
    await suppress(identity, reason);
    await resumeAddress(place.database, KEY, identity);
    expect(await reasonOf(identity)).toBe(kept);
  });

  test('the database holds no address, and another key finds nothing', async () => {
    const identity = 'in-silence@example.com';
    await suppress(identity, 'stopped');
    const rows = await place.database.kysely.selectFrom('mail_suppression').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/silence|example/);
    for (const { address_hash: hash } of rows) expect(hash).toMatch(/^[\w-]{43}$/);
    expect(await findSuppressed(place.database, 'q'.repeat(43), [identity])).toEqual(new Set());
  });
});
