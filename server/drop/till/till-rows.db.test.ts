/** What the rows of payments and checkouts keep to by themselves, whatever a till says. */

import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { openDropFile } from '../hand-over/drop-files.ts';
import { type Account, claimComparison, readAccounts, readChosen } from './account-store.ts';
import { beginCheckout, type Checkout } from './checkout-store.ts';
import type { Tills } from './open-tills.ts';
import { claimPayments, oweByHand, readMoney } from './payment-store.ts';
import { runTill } from './run-till.ts';
import { type Payment, type Till, TillError } from './till.ts';

const OFFER = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

describe.each(oneEngine)('rows of the till, on %s', (engine) => {
  const place = provideLine(engine, {}, 'all');
  let account: Account;

  beforeAll(async () => {
    account = await readChosen(place.database);
  });
  beforeEach(async () => {
    await place.database.runSql('delete from till_payment');
    await place.database.runSql('delete from checkout');
    await place.database.runSql(`update till_account set compare_at = '-infinity'`);
  });

  const paid = (id: string, cents: number): Payment => ({
    id,
    reference: id,
    offerId: null,
    cents,
    currency: 'eur',
    maskCents: cents,
    refundedCents: 0,
    disputedCents: 0,
    problem: null,
  });

  async function run(till: Partial<Till>): Promise<void> {
    const accounts = () => readAccounts(place.database);
    const tills = { accounts, open: async () => till } as unknown as Tills;
    await runTill({ database: place.database, tills, log: pino({ level: 'silent' }) });
  }

  test('a payment that cannot be settled keeps no other one from it, and is told', async () => {
    const list = async () => ({ checkouts: [], payments: [paid('a', 1e300), paid('b', 9_900)] });
    await run({ list });
    const { rows } = await place.database.runSql('select id from till_payment');
    expect(rows).toEqual([{ id: 'b' }]);
    const { rows: accounts } = await place.database.runSql('select failure from till_account');
    expect(accounts).toEqual([{ failure: 'Something went wrong on our side.' }]);
  });

  test('a stray that cannot be ended keeps no later one open', async () => {
    const far = { state: 'open' as const, payment: null, createdAt: new Date(0) };
    const strays = ['a', 'b'].map((id) => ({ ...far, id }));
    const ended: string[] = [];
    const end = async (id: string) => {
      ended.push(id);
      if (id === 'a') throw new TillError('No.', { isAnswer: true });
      return { ...far, id, state: 'ended' as const };
    };
    const list = async () => ({ checkouts: strays, payments: [] });
    await run({ end, list, readCost: async () => null });
    expect(ended.sort()).toEqual(['a', 'b']);
    const { rows } = await place.database.runSql('select failure from till_account');
    expect(rows).toEqual([{ failure: 'No.' }]);
  });

  test.each([
    [true, { state: 'by_hand', why: 'Give it back by hand. No.', failure: null, failures: 0 }],
    [false, { state: 'to_refund', why: null, failure: 'No.', failures: 1 }],
  ])('a refund that is refused is for its owner once it is for good: %s', async (isFinal, row) => {
    await place.database.runSql(
      `insert into till_payment (id, reference, account_id, cents, currency, state)
      values ('a', 'a', $1, 9900, 'eur', 'to_refund')`,
      [account.id],
    );
    const refund = () => Promise.reject(new TillError('No.', { isAnswer: true, isFinal }));
    await run({ refund, list: async () => ({ checkouts: [], payments: [] }) });
    const { rows } = await place.database.runSql(
      'select state, why, failure, failures from till_payment',
    );
    expect(rows).toMatchObject([row]);
  });

  test('refunded and disputed money is not left, and test money is apart', async () => {
    await place.database.runSql(
      `insert into till_payment
        (id, reference, account_id, currency, state, cents, refunded_cents, disputed_cents)
      values ('a', 'a', $1, 'eur', 'kept', 9900, 0, 0),
        ('b', 'b', $1, 'eur', 'kept', 9900, 3300, 0),
        ('c', 'c', $1, 'eur', 'by_hand', 9900, 0, 9900)`,
      [account.id],
    );
    const { rows } = await place.database.runSql<{ id: string }>(`
      insert into till_account (kind, is_live, left_at) values ('stripe', false, now())
      returning id`);
    await place.database.runSql(
      `insert into till_payment (id, reference, account_id, currency, state, cents)
      values ('d', 'd', $1, 'eur', 'kept', 5000)`,
      [rows[0]?.id],
    );
    const { sums } = await readMoney(place.database);
    await place.database.runSql(`delete from till_payment where id = 'd'`);
    await place.database.runSql('delete from till_account where left_at is not null');
    expect(sums).toMatchObject([
      {
        is_live: true,
        payments: 3,
        paid_cents: 29_700,
        refunded_cents: 3_300,
        disputed_cents: 9_900,
        left_cents: 16_500,
      },
      { is_live: false, payments: 1, paid_cents: 5_000, left_cents: 5_000 },
    ]);
  });

  test('the file of money has all drops, as the sums do, unless one is asked for', async () => {
    const files = await inTransaction(place.database, async (transaction) => {
      await sql`set local session_replication_role = replica`.execute(transaction);
      await sql`
        insert into offer (drop_number, member_id, size, state, wave, expires_at, settled_at, code)
        select number, gen_random_uuid(), 'Small', 'accepted', 1, now(), now(), 'CODE-' || number
        from generate_series(1, 2) number
      `.execute(transaction);
      const read = async (isAsked: boolean) => {
        const database = { kysely: transaction } as unknown as Database;
        const options = { brand: brand.name, drop: 2, isAsked };
        let text = '';
        for await (const part of await openDropFile(database, 'money', options)) text += part;
        return text.trim().split('\n').slice(1);
      };
      const found = [await read(false), await read(true)];
      await sql`delete from offer`.execute(transaction);
      return found;
    });
    expect(files.map((lines) => lines.map((line) => line[0]).sort())).toEqual([['1', '2'], ['2']]);
  });

  test('a payment is looked at again for good, as long as there are keys', async () => {
    await place.database.runSql(
      `insert into till_payment (id, reference, account_id, cents, currency, state)
      select state, state, $1, 9900, 'eur', state
      from unnest(array['kept', 'refunded', 'by_hand', 'settled']) state`,
      [account.id],
    );
    expect(await claimPayments(place.database, 9)).toEqual([]);
    await place.database.runSql(`update till_account set keys = 'sealed'`);
    const claimed = await claimPayments(place.database, 9);
    await place.database.runSql('update till_account set keys = null');
    const ids = claimed.map(({ id }) => id);
    expect(ids.sort()).toEqual(['by_hand', 'kept', 'refunded', 'settled']);
  });

  test('an order that only a shop can give back is owed by hand, once', async () => {
    const owe = () =>
      inTransaction(place.database, (transaction) =>
        oweByHand(transaction, { id: OFFER, shop_order: '#1001' }),
      );
    await owe();
    await owe();
    const { rows } = await place.database.runSql(
      'select account_id, offer_id, reference, cents, state from till_payment',
    );
    const owed = { offer_id: OFFER, reference: '#1001', cents: null, state: 'by_hand' };
    expect(rows).toEqual([{ ...owed, account_id: account.id }]);
  });

  test('of accounts whose comparison is due, the one that waits longest is compared', async () => {
    const { database } = place;
    await database.runSql(`update till_account set compare_at = now() - interval '1 minute'`);
    const { rows } = await database.runSql<{ id: string }>(
      `insert into till_account (kind, keys, left_at, compare_at)
      values ('stripe', 'sealed', now(), now() - interval '2 minutes') returning id`,
    );
    const claimed = async () => (await claimComparison(database, 60_000))?.id;
    expect([await claimed(), await claimed(), await claimed()]).toEqual([
      ...[rows[0]?.id, account.id, undefined],
    ]);
    await database.runSql('delete from till_account where left_at is not null');
  });

  test('no checkout begins at an account that was left meanwhile', async () => {
    const begun: unknown[] = [];
    await inTransaction(place.database, async (transaction) => {
      await sql`set local session_replication_role = replica`.execute(transaction);
      await sql`insert into checkout (offer_id, pay_by) values (${OFFER}, now())`.execute(
        transaction,
      );
      const checkout = { offer_id: OFFER, attempt: 1, offer_size: 'Small', pay_by: new Date() };
      const at = { accountId: account.id, shortestMs: 1_000, longestMs: 9_000 };
      const begin = () => beginCheckout({ kysely: transaction }, checkout as Checkout, at);
      await sql`update till_account set left_at = now()`.execute(transaction);
      begun.push(await begin());
      await sql`update till_account set left_at = null`.execute(transaction);
      begun.push(await begin());
    });
    expect(begun).toMatchObject([null, { size: 'Small' }]);
  });
});
