import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmptyPostgresDatabase } from '../../../test/support/engines.ts';
import type { RunSql } from '../../db/database.ts';
import { createTables, migrate } from '../../db/schema/migrate.ts';
import { readSchema } from '../../db/schema/read-schema.ts';

let place: Awaited<ReturnType<typeof createEmptyPostgresDatabase>>;
let client: pg.Client;
const schema = readSchema();
const runSql: RunSql = (text, values) => client.query(text, values) as never;

/** A line of the program before accounts, whose rows refer to nothing here. */
beforeEach(async () => {
  place = await createEmptyPostgresDatabase();
  client = new pg.Client({ connectionString: place.databaseUrl });
  await client.connect();
  await createTables(
    runSql,
    schema.changes.filter(({ name }) => name < '0042'),
  );
  await runSql('set session_replication_role = replica');
});
afterEach(async () => {
  await client.end();
  await place.remove();
});

const OFFER = '3f2504e0-4f89-41d3-9a0c-0305e82c330';
const stripe = `insert into till (kind, settings, keys)
  values ('stripe', '{"cents": 9900, "currency": "EUR", "countries": ["DE"]}', 'sealed')`;
const sell = (id: string, state: string) => `
  insert into till_payment (id, reference, cents, currency, state)
  values ('${id}', '${id}', 9900, 'eur', '${state}')`;

test('checkouts and payments of a till are brought to an account of their own', async () => {
  await runSql(stripe);
  await runSql(`
    insert into checkout (offer_id, pay_by, state, size, ends_at, far_id) values
      ('${OFFER}1', now(), 'created', 'Small', now(), 'cs_1'),
      ('${OFFER}2', now(), 'wanted', null, null, null)`);
  await runSql(sell('pi_1', 'kept'));
  await runSql(sell('pi_2', 'foreign'));
  await migrate(runSql);
  const { rows: checkouts } = await runSql(`
    select kind, cents, currency, keys from checkout
    left join till_account account on account.id = account_id order by offer_id`);
  expect(checkouts).toEqual([
    { kind: 'stripe', cents: '9900', currency: 'eur', keys: 'sealed' },
    { kind: null, cents: null, currency: null, keys: null },
  ]);
  const { rows: payments } = await runSql(`
    select till_payment.id, kind, left_at from till_payment
    join till_account account on account.id = account_id`);
  expect(payments).toEqual([{ id: 'pi_1', kind: 'stripe', left_at: null }]);
});

test('a payment of a till that was exchanged waits for its owner, without keys', async () => {
  await runSql(`insert into till (kind, settings) values ('link', '{"reports": false}')`);
  await runSql(sell('gid://shopify/Order/1', 'kept'));
  await migrate(runSql);
  const { rows } = await runSql(`
    select kind, keys, left_at is null as sells,
      exists (select from till_payment where account_id = account.id) as has_sold
    from till_account account order by kind`);
  expect(rows).toEqual([
    { kind: 'link', keys: null, sells: true, has_sold: false },
    { kind: 'shopify', keys: null, sells: false, has_sold: true },
  ]);
});

test('amounts in forints get the two digits that they have at the till, others stay', async () => {
  await runSql(stripe.replace('EUR', 'HUF'));
  await runSql(`
    insert into checkout (offer_id, pay_by, state, size, ends_at, far_id)
    values ('${OFFER}1', now(), 'created', 'Small', now(), 'cs_1')`);
  await runSql(sell('pi_1', 'kept').replace('eur', 'huf'));
  await runSql(sell('pi_2', 'kept'));
  await migrate(runSql);
  const { rows } = await runSql(`
    select payment.id, payment.cents, checkout.cents as asked, settings->>'cents' as price
    from till_payment payment, checkout, till_account order by payment.id`);
  const forints = { asked: '990000', price: '990000' };
  expect(rows).toEqual([
    { id: 'pi_1', cents: '990000', ...forints },
    { id: 'pi_2', cents: '9900', ...forints },
  ]);
});

test('a line without a till sells by the link of SHOP_URL', async () => {
  await migrate(runSql);
  const { rows } = await runSql('select kind, settings, left_at from till_account');
  expect(rows).toEqual([{ kind: 'link', settings: null, left_at: null }]);
});
