/** Paid masks: addresses, lists for packing, tracking numbers, and forgetting. */
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { ListedOffer } from '../../contract/operator/drop/listed-offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath, mailPagePaths } from '../../contract/paths.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { redeemPass } from '../../server/drop/passes/passes.ts';
import { oneEngine } from '../support/engines.ts';
import { ADDRESS } from '../support/sample-address.ts';
import { tellStory } from '../support/tell-story.ts';
import {
  open,
  pageOf,
  placesOf,
  postForm,
  readKeptMail,
  SECRET_KEY,
  settleMail,
  tokenOf,
} from './mail-links.ts';
import { ownerCalls } from './owner-calls.ts';
import { openTestApp, type TestApp } from './test-app.ts';

describe.each(oneEngine)('parcels on %s', (engine) => {
  let app: TestApp;
  const ids: string[] = [];
  const codes: string[] = [];

  beforeAll(async () => {
    app = await openTestApp(engine, { secretKey: SECRET_KEY, addressDays: 30 });
    for (let index = 0; index < 4; index++)
      ids.push((await app.join(`ghost${index}@example.com`)).id);
    await offerMasks(4, { minutes: 720 });
    for (const [index, id] of ids.entries())
      await inTransaction(app.database, async (transaction) => {
        const code = (await acceptOffer(transaction, id)).offer.code ?? '';
        codes.push(code);
        if (index < 3) await redeemPass(transaction, { code, order: `#${index}` });
      });
  });
  afterAll(() => app.remove());

  const { post, get, change, undo, run, offerMasks } = ownerCalls(() => app);
  const read = async (file: string): Promise<Record<string, string>[]> =>
    parse((await get(fillPath(operatorPaths.exportDrop, file))).body, { columns: true });
  const pageFor = (index: number) =>
    fillPath(mailPagePaths.reward, tokenOf(ids[index] ?? '', 'reward'), 'mask');
  const mailsTo = async (index: number) => {
    await settleMail(app);
    return readKeptMail(app, ids[index]).join('\n').replaceAll('=\r\n', '');
  };
  const addresses = async () => {
    const rows = await app.database.kysely.selectFrom('parcel').select('address').execute();
    return rows.filter(({ address }) => address !== null).length;
  };

  const step = tellStory('goes through one step after the other');

  step('members whose mask is paid are asked by mail, and answer on a page', async () => {
    expect(pageOf(await open(app, pageFor(0)))).toBe('link-unknown');
    const asked = await change('ask-addresses');
    expect(asked.summary).toBe('3 members were asked for an address.');
    const [, path = ''] = /line\.example\.com(\/rewards\/\S+\/mask)/.exec(await mailsTo(0)) ?? [];
    expect(await mailsTo(3)).not.toContain('Where should your mask go?');
    const page = await open(app, path);
    expect([pageOf(page), placesOf(page).reward]).toEqual(['reward-asked', 'Your mask in Small']);
    expect((await postForm(app, path, { ...ADDRESS, town: '' })).statusCode).toBe(422);
    for (const form of [{ ...ADDRESS, name: 'Old' }, ADDRESS])
      expect((await postForm(app, path, form)).statusCode).toBe(303);
    expect(pageOf(await open(app, path))).toBe('reward-answered');
    expect((await postForm(app, pageFor(2), ADDRESS)).statusCode).toBe(303);
    expect((await postForm(app, pageFor(3), ADDRESS)).statusCode).toBe(409);
    expect((await change('ask-addresses')).summary).toBe('1 member was asked for an address.');
  });

  step('what is to be sent is a list for packing, and one for the carrier', async () => {
    const packed = await read('packing-list');
    expect(packed.map(({ code, name }) => [code, name]).sort()).toEqual(
      [
        [codes[0], 'Ada Lovelace'],
        [codes[1], ''],
        [codes[2], 'Ada Lovelace'],
      ].sort(),
    );
    const carried = await read('carrier');
    expect(carried).toHaveLength(2);
    expect(carried.find((row) => row['Order reference'] === codes[0])).toEqual({
      'Order reference': codes[0],
      'Full name': 'Ada Lovelace',
      'Address line 1': 'Ockham Road 1',
      'Address line 2': '',
      City: 'Berlin',
      County: '',
      Postcode: '10115',
      Country: 'DEU',
      Email: 'ghost0@example.com',
      Phone: '',
    });
  });

  step(
    'masks are marked as sent by lines of code and number, all or none, with a mail',
    async () => {
      const send = (...parcels: string[]) => change('mark-masks-sent', { carrier: 'DHL', parcels });
      expect((await send('no comma')).detail).toContain('unlike this one: no comma');
      expect((await send(`${codes[0]}, 1`, `${codes[0]}, 2`)).detail).toContain(
        'in the list twice',
      );
      expect((await send(`${codes[0]}, JD01`, `${codes[3]}, JD02`)).detail).toContain(
        `or were sent or handed over at a door: ${codes[3]}.`,
      );
      expect(await mailsTo(0)).not.toContain('JD01');
      const sent = await send(`${codes[0]}, JD01`, `"${codes[1]}";"JD02"`);
      expect(sent.summary).toBe('2 masks were marked as sent with DHL.');
      expect(await mailsTo(0)).toContain('The tracking number is JD01.');
      expect(await mailsTo(1)).toContain('The tracking number is JD02.');
      expect((await send(`${codes[1]}\tJD03`)).status).toBe(409);
      expect((await read('packing-list')).map(({ code }) => code)).toEqual([codes[2]]);
      const { offers } = await post(operatorPaths.listOffers, { text: ids[1] });
      expect(offers as ListedOffer[]).toMatchObject([{ carrier: 'DHL', tracking: 'JD02' }]);
      expect(pageOf(await open(app, pageFor(0)))).toBe('reward-sent');
      expect((await postForm(app, pageFor(0), ADDRESS)).statusCode).toBe(409);
    },
  );

  step('addresses go after the days that are set, and with their members', async () => {
    /** As if the clock were set forward by so many days. */
    const passDays = async (days: number) => {
      for (const [table, column] of [
        ['parcel', 'sent_at'],
        ['parcel', 'answered_at'],
        ['mask_drop', 'closed_at'],
      ] as const)
        await sql`
          update ${sql.table(table)}
          set ${sql.ref(column)} = ${sql.ref(column)} - make_interval(days => ${days}::integer)
        `.execute(app.database.kysely);
      await run('deleting the addresses of masks');
    };
    await passDays(29);
    expect(await addresses()).toBe(2);
    await passDays(2);
    expect(await addresses()).toBe(1);
    // What is paid and not sent is owed, also to a member who has left meanwhile.
    await change('close-drop');
    await passDays(365);
    const removed = await change('remove-members', { member_ids: [ids[2]] });
    expect(await addresses()).toBe(1);
    await undo(removed.change);
    expect(pageOf(await open(app, pageFor(2)))).toBe('reward-answered');
    await change('erase-member', { member: ids[2] });
    expect(await addresses()).toBe(1);
    const tap = { code: codes[2], scan: 'a wrong tap' };
    expect(await post(operatorPaths.scanPass, tap)).toMatchObject({ result: 'given' });
    await run('deleting the addresses of masks');
    expect(await post(operatorPaths.undoScan, tap)).toMatchObject({ result: 'undone' });
    expect(await addresses()).toBe(1);
    await post(operatorPaths.scanPass, { ...tap, scan: 'a right one' });
    await app.database.runSql(`
      update offer set handed_at = handed_at - interval '61 seconds' where state = 'handed_over'`);
    await run('deleting the addresses of masks');
    expect(await addresses()).toBe(0);
    await post(operatorPaths.redeemPass, { code: codes[3], order: '#3' });
    await change('ask-addresses', { drop: 1 });
    await postForm(app, pageFor(3), ADDRESS);
    expect(await addresses()).toBe(1);
    await change('cancel-pass', { code: codes[3], note: 'x' });
    await run('deleting the addresses of masks');
    expect(await addresses()).toBe(0);
  });
});
