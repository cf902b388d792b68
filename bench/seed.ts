/** Fills a database with members through the product's own join, half of them invited. */
import { brand } from '../brand/brand.ts';
import type { Member } from '../contract/schemas.ts';
import { openDatabase } from '../server/db/open.ts';
import { openJoinQueue } from '../server/waitlist/join.ts';
import { prepareLine } from '../server/waitlist/prepare-line.ts';

/** Joins sent at once, so that they share commits as a burst of visitors does. */
const BURST = 500;
/** Members remembered as inviters and for status reads. */
const SAMPLE = 20_000;

export type Sample = { readonly ids: string[]; readonly codes: string[] };

/** Adds `members` members and answers a sample of them. */
export async function seed(place: { dataDir: string; databaseUrl: string | null }, members: number): Promise<Sample> {
  const database = await openDatabase({ ...place, log: () => {} });
  await prepareLine(database, brand);
  const queue = openJoinQueue({ database, brand });
  const sample: Sample = { ids: [], codes: [] };
  const keepEvery = Math.max(1, Math.floor(members / SAMPLE));

  async function joinOne(number: number): Promise<void> {
    const referredBy = number % 2 === 0 ? (sample.codes[(number * 7919) % sample.codes.length] ?? null) : null;
    const { body } = await queue.join({ email: `seed${number}@example.com`, referredBy, idempotencyKey: null });
    if (number % keepEvery !== 0) return;
    const member = JSON.parse(body) as Member;
    sample.ids.push(member.id);
    sample.codes.push(member.referral_code);
  }

  for (let first = 0; first < members; first += BURST) {
    await Promise.all(Array.from({ length: Math.min(BURST, members - first) }, (_, index) => joinOne(first + index)));
  }
  await queue.close();
  await database.close();
  return sample;
}
