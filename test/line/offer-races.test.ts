import { afterAll, beforeAll, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import type { Database } from '../../server/db/database.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { closeDrop } from '../../server/drop/steps/close-drop.ts';
import { startOffers } from '../../server/drop/steps/start-offers.ts';
import { makeOffers } from '../../server/drop/steps/sweep-offers.ts';
import { listSizes } from '../../server/drop/stock/store.ts';
import { Problem } from '../../server/problem.ts';
import { patiently } from '../support/patiently.ts';
import { provideLine } from '../support/provide-line.ts';
import { isAll } from '../support/test-form.ts';
import { selectMembers } from './offer-steps.ts';
import { openOthers } from './open-nodes.ts';

const MEMBERS = isAll ? 1000 : 300;
const MASKS = isAll ? 100 : 30;
const SERVERS = 3;
const brand = { ...ownBrand, sizes: [{ name: 'Small', stock: MASKS }], maskCount: MASKS };

const place = provideLine('postgres', { brand }, 'all');
let servers: Database[];
let memberIds: string[];

beforeAll(async () => {
  servers = [place.database, ...(await openOthers(place, SERVERS))];
  memberIds = (await place.joinAll(MEMBERS)).map(({ id }) => id);
});
afterAll(() => Promise.all(servers.slice(1).map((database) => database.close())));

test('all members accept at once, twice: as many passes as masks', async () => {
  await selectMembers(place.database, memberIds, []);
  await inTransaction(place.database, (transaction) =>
    startOffers(transaction, { minutes: 720, time_zone: 'UTC' }),
  );
  const sweep = (database: Database) => patiently(() => inTransaction(database, makeOffers));
  const sweeps = servers.map(sweep);
  await sweeps[0];
  const accepts = [...memberIds, ...memberIds].map(async (memberId, index) => {
    const database = servers[index % SERVERS] ?? place.database;
    try {
      const accept = () => inTransaction(database, (one) => acceptOffer(one, memberId));
      return await patiently(accept);
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return null;
      throw error;
    }
  });
  const more = servers.map(sweep);
  const accepted = (await Promise.all(accepts)).filter((offer) => offer !== null);
  await Promise.all([...sweeps, ...more]);
  const passes = await place.database.kysely.selectFrom('offer').selectAll().execute();
  expect(passes.map(({ state }) => state)).toEqual(Array(MASKS).fill('accepted'));
  expect(new Set(passes.map(({ code }) => code)).size).toBe(MASKS);
  expect(new Set(passes.map(({ member_id: id }) => id))).toEqual(
    new Set(memberIds.slice(0, MASKS)),
  );
  expect(accepted).toHaveLength(2 * MASKS);
  expect(new Set(accepted.map(({ code }) => code)).size).toBe(MASKS);
  expect(await listSizes(place.database)).toEqual([
    {
      name: 'Small',
      stock: MASKS,
      allocated: 0,
      offered: MASKS,
      accepted: MASKS,
      available: 0,
      held: 0,
    },
  ]);
});

test('a drop is closed while members accept: each has a pass or an offer that ended', async () => {
  await selectMembers(place.database, memberIds, []);
  await inTransaction(place.database, async (transaction) => {
    await startOffers(transaction, { minutes: 720, time_zone: 'UTC' });
    await makeOffers(transaction);
  });
  const accepts = memberIds.slice(0, MASKS).map(async (memberId, index) => {
    const database = servers[index % SERVERS] ?? place.database;
    if (index === MASKS / 2) await inTransaction(database, closeDrop);
    try {
      const accept = () => inTransaction(database, (one) => acceptOffer(one, memberId));
      return (await patiently(accept)).id;
    } catch (error) {
      if (error instanceof Problem && error.code === 'conflict') return null;
      throw error;
    }
  });
  const accepted = (await Promise.all(accepts)).filter((id) => id !== null);
  const offers = await place.database.kysely.selectFrom('offer').select(['id', 'state']).execute();
  const passes = offers.filter(({ state }) => state === 'accepted').map(({ id }) => id);
  expect(passes.sort()).toEqual(accepted.sort());
  expect(offers.filter(({ state }) => state !== 'accepted').map(({ state }) => state)).toEqual(
    Array(MASKS - passes.length).fill('expired'),
  );
});
