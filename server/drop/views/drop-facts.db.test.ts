import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { SIZES, selectMembers } from '../../../test/line/offer-steps.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { inTransaction } from '../../db/transaction.ts';
import { openJoinQueue } from '../../line/join/join.ts';
import { changeOfferSize } from '../offers/settle-offer.ts';
import { startOffers } from '../steps/start-offers.ts';
import { makeOffers } from '../steps/sweep-offers.ts';
import { prepareSizes } from '../stock/stock.ts';
import { getDropFacts } from './drop-facts.ts';

const READS = 50;

describe.each(oneEngine)('the facts of a drop, on %s', (engine) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await openTestDatabase(engine);
  });
  afterAll(() => place.close());

  test('are of one moment while a member changes sizes', async () => {
    const { database } = place;
    await prepareSizes(database, brand);
    const queue = openJoinQueue({ database, brand });
    const joined = await queue.join({
      email: 'ada@example.com',
      referredBy: null,
      idempotencyKey: null,
    });
    await queue.close();
    const memberId = joined.memberId ?? '';
    await selectMembers(database, [memberId], []);
    await inTransaction(database, async (transaction) => {
      await startOffers(transaction, { minutes: 60, time_zone: 'UTC' });
      await makeOffers(transaction);
    });
    let changes = 0;
    let isOver = false;
    const change = async () => {
      while (!isOver) {
        const size = SIZES[changes++ % SIZES.length] ?? '';
        await inTransaction(database, (one) => changeOfferSize(one, { memberId, size }));
      }
    };
    const changing = change();
    const read = [];
    for (let reads = 0; reads < READS; reads += 1) read.push(await getDropFacts(database));
    isOver = true;
    await changing;
    expect(changes).toBeGreaterThan(READS / 5);
    for (const { sizes } of read) {
      expect(sizes.map(({ open }) => open).toSorted()).toEqual([0, 0, 1]);
      for (const { size, open, available } of sizes)
        expect(open + available).toBe(brand.sizes.find(({ name }) => name === size)?.stock);
    }
  });
});
