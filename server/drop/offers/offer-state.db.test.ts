import { describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { handOverMails, passHours, selectMembers } from '../../../test/line/offer-steps.ts';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startOffers } from '../steps/start-offers.ts';
import { makeOffers } from '../steps/sweep-offers.ts';
import { getDropFacts } from '../views/drop-facts.ts';
import { loadOffers } from '../views/drop-mails.ts';
import { getDropStanding } from '../views/drop-standing.ts';
import { getOfferById, getOfferFigures, listOffers } from '../views/get-offers.ts';
import { readOfferOf, readOffersOfDrop } from './offer-store.ts';

/** A clock this far ahead of the last sweep may have leapt. */
const LONG_AGO = new Date(0);

describe.each(oneEngine)('an offer whose time is over, on %s', (engine) => {
  const line = provideLine(engine);

  test('is expired for every reader, before a sweep settles it', async () => {
    const { database } = line;
    const { id: memberId } = await line.join();
    await selectMembers(database, [memberId], []);
    const terms = { minutes: 60, time_zone: 'UTC' };
    const [offer] = await inTransaction(database, async (transaction) => {
      await startOffers(transaction, terms);
      return (await makeOffers(transaction)).made;
    });
    const id = offer?.id ?? '';
    const readStates = async () => [
      (await loadOffers(database, [{ offerId: id }]))[0]?.state,
      (await getOfferById(database, id))?.state,
      (await readOfferOf(database, memberId))?.state,
      (await getDropStanding(database, memberId, brand.language)).offer?.state,
      (await readOffersOfDrop(database, 1))[0]?.state,
      (await listOffers(database, {}, { showsCodes: false })).offers[0]?.state,
      ...Object.entries(await getOfferFigures(database)).flatMap(([state, offers]) =>
        ['open', 'expired'].includes(state) && offers === 1 ? [state] : [],
      ),
      ...(await getDropFacts(database)).sizes.flatMap(({ open, expired }) =>
        open === 1 ? ['open'] : expired === 1 ? ['expired'] : [],
      ),
    ];
    expect(await readStates()).toEqual(Array(8).fill('open'));
    await passHours(database, 1);
    // Its mail has not left: the time has not begun.
    await inTransaction(database, makeOffers);
    expect(await readStates()).toEqual(Array(8).fill('open'));
    await handOverMails(database);
    await passHours(database, 2);
    await database.kysely.updateTable('mask_drop').set({ swept_at: LONG_AGO }).execute();
    expect(await readStates()).toEqual(Array(8).fill('open'));
    await database.kysely.updateTable('mask_drop').set({ swept_at: new Date() }).execute();
    expect(await readStates()).toEqual(Array(8).fill('expired'));
    const expired = await listOffers(database, { state: 'expired' }, { showsCodes: false });
    expect(expired.offers).toHaveLength(1);
    const open = await listOffers(database, { state: 'open' }, { showsCodes: false });
    expect(open.offers).toEqual([]);
  });
});
