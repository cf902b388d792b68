/** Fills a database through the product's own join, half of its members invited by the first. */
import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import { openDatabase } from '../../server/db/open.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import type { DatabasePlace } from './engines.ts';

/** Joins at once, which share commits as a burst of visitors does. */
const BURST = 500;

type Seeding = { readonly firstKey?: string } & Pick<
  Parameters<typeof openJoinQueue>[0],
  'joinedMail'
>;

/** Returns the answer to the first join, which has the idempotency key `firstKey`. */
export async function seedLine(
  place: Omit<DatabasePlace, 'remove'>,
  members: number,
  { firstKey, ...settings }: Seeding = {},
): Promise<string> {
  const database = await openDatabase({ ...place, log: () => {} });
  await prepareSizes(database, brand);
  const queue = openJoinQueue({ database, brand, ...settings });
  const join = (number: number, referredBy: string | null, idempotencyKey: string | null = null) =>
    queue.join({ email: `seed${number}@example.com`, referredBy, idempotencyKey });
  const { body } = await join(0, null, firstKey);
  const { referral_code: code } = JSON.parse(body) as Member;
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
  return body;
}
