import { describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { handOverMails, passHours, selectMembers } from '../../../test/line/offer-steps.ts';
import { oneEngine } from '../../../test/support/engines.ts';
import { provideLine } from '../../../test/support/provide-line.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startOffers } from '../steps/start-offers.ts';
import { makeOffers } from '../steps/sweep-offers.ts';
import { openDropPlaces } from './drop-standing.ts';

const MASKS = 60;

describe.each(oneEngine)('who waits for a mask, on %s', (engine) => {
  const line = provideLine(engine);

  test('reads how offers went whose time is over, and whether mail and masks come', async () => {
    const { database } = line;
    await line.sql(`update mask_size set stock = case name when 'Small' then ${MASKS} else 0 end`);
    const ids = (await line.joinAll(MASKS + 3)).map(({ id }) => id);
    await selectMembers(database, ids.slice(0, -1), []);
    await inTransaction(database, async (transaction) => {
      await startOffers(transaction, { minutes: 60, time_zone: 'UTC' });
      await makeOffers(transaction);
    });
    const [next = '', , unlisted = ''] = ids.slice(MASKS);
    const read = (id: string) => openDropPlaces(database, brand)(id);
    expect(await read(next)).toMatchObject({ odds: null, can_return: true, is_mailed: true });
    expect(await read(unlisted)).toMatchObject({ odds: null, can_return: false });
    await database.runSql(
      `insert into mail_suppression (address_hash, reason, member_id) values ('h', 'bounced', $1)`,
      [next],
    );
    await handOverMails(database);
    await database.runSql(
      `update offer set state = 'accepted', settled_at = clock_timestamp(), code = id::text
       where member_id <> $1`,
      [ids[0]],
    );
    await passHours(database, 2);
    expect(await read(next)).toMatchObject({
      odds: { kind: 'return', percent: null, masks: 0, among: MASKS - 1 },
      can_return: true,
      is_mailed: false,
    });
    await inTransaction(database, makeOffers);
    expect(await read(next)).toMatchObject({ odds: null, can_return: false });
    expect(await read(ids[MASKS + 1] ?? '')).toMatchObject({
      odds: { kind: 'return', percent: null, masks: 1, among: MASKS },
      can_return: true,
    });
  });
});
