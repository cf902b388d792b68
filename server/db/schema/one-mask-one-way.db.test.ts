/** Passes from before there were states for "paid", "handed over" and "sent". */
import { expect, onTestFinished, test } from 'vitest';
import { createEmptyPostgresDatabase } from '../../../test/support/engines.ts';
import { openDatabase } from '../open.ts';
import { createTables } from './migrate.ts';
import { readSchema } from './read-schema.ts';

const FIRST = '0041-one-mask-one-way';

test('a redeemed pass becomes what it was, and who paid and left gets the mask back', async () => {
  const { remove, ...place } = await createEmptyPostgresDatabase();
  const { runSql, close } = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
  onTestFinished(async () => {
    await close();
    await remove();
  });
  const { changes } = readSchema();
  await createTables(
    runSql,
    changes.filter(({ name }) => name < FIRST),
  );
  const idOf = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`;
  // The rows of members and entrants do not matter here.
  await runSql(`
    set session_replication_role = replica;
    insert into webhook_endpoint (url, events, next_sequence) values ('x', '{pass.redeemed}', 1);
    insert into offer (id, drop_number, member_id, size, state, wave, expires_at, settled_at,
      redeemed_at, code, shop_order, door_scan, scanned_by)
    select ('00000000-0000-4000-8000-00000000000' || nth)::uuid, 1,
      ('00000000-0000-4000-8000-00000000000' || nth)::uuid, 'Small', state, 1, now(), now(),
      case state when 'redeemed' then '2026-01-02'::timestamptz end, 'C' || nth, shop_order, scan,
      case when scan is not null then 'Vera' end
    from (values (1, 'accepted', null, null), (2, 'redeemed', 'pi_1', null),
      (3, 'redeemed', null, 'a scan'), (4, 'redeemed', '#4', null), (5, 'cancelled', '#5', null),
      (6, 'redeemed', '#6', null)) old (nth, state, shop_order, scan);
    insert into checkout (offer_id, pay_by, state) values
      ('${idOf(2)}', now(), 'paid'), ('${idOf(3)}', now(), 'paid');
    insert into till_payment (id, offer_id, reference, cents, currency, state)
    values ('pi_1', '${idOf(2)}', 'pi_1', 9900, 'eur', 'kept');
    insert into parcel (offer_id, member_id, sent_at, carrier, tracking)
    values ('${idOf(4)}', '${idOf(4)}', now(), 'DHL', 'JD01');
    insert into removed_member (
      member_id, removal, until, email_identity, member, side_rows, friends)
    values ('${idOf(6)}', '${idOf(9)}', now(), 'x', '{"email": "gone@example.com"}',
      '{"parcel": [{"offer_id": "${idOf(6)}", "member_id": "${idOf(6)}",
        "address": {"town": "Berlin"}, "answered_at": "2026-01-03T00:00:00Z"}]}', '[]');
  `);
  for (const { sql, name } of changes) if (name >= FIRST) await runSql(sql);

  const { rows: passes } = await runSql(`
    select offer.state, paid_at is not null as paid, handed_at::date::text as handed,
      checkout.state as checkout
    from offer left join checkout on offer_id = id order by id`);
  const none = { handed: null, checkout: null };
  expect(passes).toEqual([
    { state: 'accepted', paid: false, ...none },
    { state: 'paid', paid: true, ...none, checkout: 'paid' },
    { state: 'handed_over', paid: false, handed: '2026-01-02', checkout: 'cancelled' },
    { state: 'sent', paid: true, ...none },
    { state: 'cancelled', paid: false, ...none },
    { state: 'paid', paid: true, ...none },
  ]);
  const { rows: parcels } = await runSql(
    `select address->>'town' as town, email from parcel where sent_at is null`,
  );
  expect(parcels).toEqual([{ town: 'Berlin', email: 'gone@example.com' }]);
  const { rows: told } = await runSql('select events from webhook_endpoint');
  expect(told).toEqual([{ events: ['pass.redeemed', 'pass.handed_over'] }]);
});
