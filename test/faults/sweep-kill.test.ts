/** A sweep dies in the middle: what it held is whole, and the next one holds the rest. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import { verifyAudit } from '../../server/changes/audit/verify-audit.ts';
import { openDatabase } from '../../server/db/open.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { prepareLine } from '../../server/prepare-line.ts';
import { createMigratedPlace, type DatabasePlace, defaultEngine } from '../support/engines.ts';

const CODES = 60;
const FRIENDS = 5;
const KILLED_IN = 10;
const SWEEPER = fileURLToPath(new URL('../support/sweeper.ts', import.meta.url));

/** How the process ended: its exit code and signal. */
async function sweep(place: DatabasePlace, fatalTransaction: number): Promise<unknown[]> {
  const { dataDir, databaseUrl } = place;
  const args = [SWEEPER, dataDir, String(fatalTransaction), databaseUrl ?? []].flat();
  return await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
}

async function prepare(place: DatabasePlace): Promise<void> {
  const database = await openDatabase({ ...place, log: () => {} });
  await prepareLine(database, brand);
  const queue = openJoinQueue({ database, brand, holdThreshold: brand.fairness.holdAt });
  const join = async (email: string, referredBy: string | null) => {
    const { body } = await queue.join({ email, referredBy, idempotencyKey: null });
    return (JSON.parse(body) as Member).referral_code;
  };
  const codes = await Promise.all(
    Array.from({ length: CODES }, (_, index) => join(`m${index}@example.com`, null)),
  );
  await Promise.all(
    codes.flatMap((code, index) =>
      Array.from({ length: FRIENDS }, (_, n) => join(`f${index}-${n}@example.com`, code)),
    ),
  );
  await queue.close();
  await database.runSql("update member set joined_at = joined_at - interval '1 minute'");
  await database.close();
}

/** How many friends of each code have a held credit, and how many entries the sweep made. */
async function readHeld(place: DatabasePlace): Promise<{ held: number[]; entries: number }> {
  const database = await openDatabase({ ...place, log: () => {} });
  const codes = await database.runSql(`
    select count(*) filter (where credit = 'held')::integer as held from member
    where referrer_id is not null group by referrer_id`);
  const entries = await database.runSql(
    "select count(*)::integer as entries from audit_entry where actor_name = 'sweep'",
  );
  expect((await verifyLine(database, brand)).differences).toEqual([]);
  expect((await verifyAudit(database)).difference).toBeNull();
  await database.close();
  return {
    held: (codes.rows as { held: number }[]).map(({ held }) => held),
    entries: (entries.rows as { entries: number }[])[0]?.entries ?? 0,
  };
}

describe.each(defaultEngine)('a sweep on %s', (engine) => {
  test('that is killed leaves whole codes, and the next one goes on', async () => {
    const place = await createMigratedPlace(engine);
    await prepare(place);
    expect(await sweep(place, KILLED_IN)).toEqual([null, 'SIGKILL']);

    const partly = await readHeld(place);
    expect(new Set(partly.held)).toEqual(new Set([0, FRIENDS]));
    expect(partly.held.filter((held) => held === FRIENDS)).toHaveLength(partly.entries);
    expect(partly.entries).toBeGreaterThanOrEqual(KILLED_IN - 1);

    expect(await sweep(place, 0)).toEqual([0, null]);
    const whole = await readHeld(place);
    expect(whole.held).toEqual(Array<number>(CODES).fill(FRIENDS));
    expect(whole.entries).toBe(CODES);
    await place.remove();
  });
});
