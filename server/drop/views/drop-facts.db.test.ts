import { describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { SIZES, selectMembers } from '../../../test/line/offer-steps.ts';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { inTransaction } from '../../db/transaction.ts';
import { changeOfferSize } from '../offers/settle-offer.ts';
import { startOffers } from '../steps/start-offers.ts';
import { makeOffers } from '../steps/sweep-offers.ts';
import { getDropFacts } from './drop-facts.ts';

const READS = 50;

describe.each(oneEngine)('the facts of a drop, on %s', (engine) => {
  const place = provideLine(engine, {}, 'all');

  test('are of one moment while a member changes sizes', async () => {
    const { database } = place;
    const { id: memberId } = await place.join();
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
