import { expect, test } from 'vitest';
import { provideLine } from '../../../test/support/provide-line.ts';
import { openReferralVerifier } from './verify-referral.ts';

const line = provideLine('postgres');

test('codes that are verified together are looked up once each, known or not', async () => {
  const { email, referral_code: code } = await line.join();
  const lookedUp: number[] = [];
  const kysely = line.database.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      lookedUp.push(result.rows.length);
      return result;
    },
  });
  const verifier = openReferralVerifier({
    database: { ...line.database, kysely },
    inviterEmail: 'full',
  });
  const asked = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? code : 'ZZZZZZZZZZ'));
  const answers = await Promise.all(asked.map(verifier.verifyReferral));
  await verifier.close();
  expect(new Set(answers.map(({ valid }) => valid))).toEqual(new Set([true, false]));
  expect(answers[0]).toEqual({ valid: true, referrer_email: email });
  expect(lookedUp).toEqual([2]);
});
