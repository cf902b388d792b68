import { describe, expect, test } from 'vitest';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import {
  findSuppressed,
  liftSuppression,
  readSuppression,
  type SuppressionReason,
  suppressAddress,
} from './store.ts';

const KEY = 'k'.repeat(43);

describe.each(oneEngine)('suppressed addresses on %s', (engine) => {
  const place = provideLine(engine, {}, 'all');

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

  test('a wish stops every spelling of a mailbox, a bounce the one address', async () => {
    await suppress('a.lovelace+news@gmail.com', 'stopped');
    expect(await reasonOf('alovelace@googlemail.com')).toBe('stopped');
    await liftSuppression(place.database, KEY, 'alovelace+x@gmail.com');
    expect(await reasonOf('a.lovelace+news@gmail.com')).toBe(null);
    await suppress('grace+nobody@example.com', 'bounced');
    expect(await reasonOf('grace@example.com')).toBe(null);
    await suppress('grace@example.com', 'complained');
    expect(await reasonOf('grace+nobody@example.com')).toBe('complained');
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
