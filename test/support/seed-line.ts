/** Fills a database through the product's own join, half of its members invited by the first. */
import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import { openDatabase } from '../../server/db/open.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import type { DatabasePlace } from './engines.ts';

/** Joins at once, which share commits as a burst of visitors does. */
const BURST = 500;

export async function seedLine(
  place: Omit<DatabasePlace, 'remove'>,
  members: number,
): Promise<void> {
  const database = await openDatabase({ ...place, log: () => {} });
  await prepareSizes(database, brand);
  const queue = openJoinQueue({ database, brand });
  const join = (number: number, referredBy: string | null) =>
    queue.join({ email: `seed${number}@example.com`, referredBy, idempotencyKey: null });
  const { referral_code: code } = JSON.parse((await join(0, null)).body) as Member;
  for (let first = 1; first < members; first += BURST) {
    const count = Math.min(BURST, members - first);
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        join(first + index, index % 2 === 0 ? code : null),
      ),
    );
  }
  await queue.close();
  await database.close();
}
