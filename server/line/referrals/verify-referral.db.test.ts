import { afterAll, beforeAll, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { prepareSizes } from '../../drop/stock/stock.ts';
import { openJoinQueue } from '../join/join.ts';
import { openReferralVerifier } from './verify-referral.ts';

let place: TestDatabase;
beforeAll(async () => {
  place = await openTestDatabase('postgres');
  await prepareSizes(place.database, brand);
});
afterAll(() => place.close());

test('codes that are verified together are looked up once each, known or not', async () => {
  const queue = openJoinQueue({ database: place.database, brand });
  const request = { email: 'ada@example.com', referredBy: null, idempotencyKey: null };
  const { body } = await queue.join(request);
  await queue.close();
  const code = JSON.parse(body).referral_code as string;
  const lookedUp: number[] = [];
  const kysely = place.database.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      lookedUp.push(result.rows.length);
      return result;
    },
  });
  const verifier = openReferralVerifier({
    database: { ...place.database, kysely },
    inviterEmail: 'full',
  });
  const asked = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? code : 'ZZZZZZZZZZ'));
  const answers = await Promise.all(asked.map(verifier.verifyReferral));
  await verifier.close();
  expect(new Set(answers.map(({ valid }) => valid))).toEqual(new Set([true, false]));
  expect(answers[0]).toEqual({ valid: true, referrer_email: 'ada@example.com' });
  expect(lookedUp).toEqual([2]);
});
