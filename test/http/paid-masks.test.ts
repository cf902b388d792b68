/** Paid masks: handed over or sent, once, where they go, and what is kept for that and how long. */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect } from 'vitest';
import type { OwnOffer } from '../../contract/drop/offer-views.ts';
import type { ListedOffer } from '../../contract/operator/drop/listed-offers.ts';
import type { Money } from '../../contract/operator/drop/till.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { redeemPass } from '../../server/drop/passes/passes.ts';
import { type Engine, oneEngine } from '../support/engines.ts';
import { FakeStripe } from '../support/fake-stripe.ts';
import { ADDRESS } from '../support/sample-address.ts';
import { tellStory } from '../support/tell-story.ts';
import { open, pageOf, placesOf, postForm, SECRET_KEY, tokenOf } from './mail-links.ts';
import { provideApp } from './provide-app.ts';

const FORGET = 'deleting the addresses of masks';
const TILL = {
  stripe: { cents: 9_900, currency: 'EUR', countries: ['DE'] },
  secret_key: 'rk_live_0123456789',
  webhook_secret: 'whsec_0123456789',
};
const SHIPPING = {
  name: 'Ada Lovelace',
  address: { line1: 'Ockham Road 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
};
const PAYERS = [0, 1, 2, 3];
const UNPAID = 4;

/** A line whose members are offered a mask each. */
function provideMasks(engine: Engine, members: number, terms: object, till?: object) {
  const app = provideApp(engine, { secretKey: SECRET_KEY, addressDays: 30 });
  const ids: string[] = [];
  const codes: string[] = [];
  const idOf = (index: number) => ids[index] ?? '';
  beforeAll(async () => {
    ids.push(...(await app.joinGhosts(members)));
    if (till !== undefined) await app.change('set-till', till);
    await app.offerMasks(members, { minutes: 720, ...terms });
  });
  return {
    app,
    ids,
    codes,
    idOf,
    mailsTo: async (index: number) => (await app.mailsTo(idOf(index))).join('\n'),
    readFile: async (file = 'packing-list'): Promise<Record<string, string>[]> => {
      const { body } = await app.get(fillPath(operatorPaths.exportDrop, file));
      return parse(body, { columns: true });
    },
    list: async (body: object): Promise<ListedOffer[]> =>
      (await app.post(operatorPaths.listOffers, body)).offers,
    send: (...parcels: string[]) => app.change('mark-masks-sent', { carrier: 'DHL', parcels }),
  };
}

describe.each(oneEngine)('a mask that is paid at a till on %s', (engine) => {
  const stripe = new FakeStripe();
  beforeAll(() => {
    globalThis.fetch = stripe.fetch;
  });
  const made = provideMasks(engine, 5, { pay_hours: 6 }, TILL);
  const { app, codes, idOf, mailsTo, readFile: packed, list, send } = made;
  const { post, read, change, preview, run } = app;

  const offerOf = async (path: string, index: number): Promise<OwnOffer['offer']> =>
    (await post(path, { token: tokenOf(idOf(index), 'offer') })).offer;
  const offerPage = (index: number) =>
    open(app, fillPath(mailPagePaths.offer, tokenOf(idOf(index), 'offer')));
  const scan = (index: number, more: object = {}) =>
    post(operatorPaths.scanPass, { code: codes[index], scan: `scan ${index}`, ...more });
  const money = (): Promise<Money> => read(operatorPaths.money);
  const leavePage = (index: number) =>
    fillPath(mailPagePaths.leave, tokenOf(idOf(index), 'preferences'));

  const step = tellStory('goes one way');

  step('says what it costs and until when it is paid, before anybody accepts', async () => {
    expect(await offerOf(apiPaths.offer, 0)).toMatchObject({ price: '€99.00', pay_hours: 6 });
    const terms = 'It costs €99.00. Once you accept, you have 6 hours to pay.';
    expect(placesOf(await offerPage(0)).detail).toBe(terms);
    const mail = (await mailsTo(0)).replaceAll('=E2=82=AC', '€').replaceAll(/\s+/g, ' ');
    expect(mail).toContain('It costs €99.00. Once you accept it, you have 6 hours to pay.');
    expect(mail).not.toContain('a code');
  });

  step('is not handed over before the till says that it is paid', async () => {
    for (const index of [...PAYERS, UNPAID])
      codes.push((await offerOf(apiPaths.acceptOffer, index))?.code ?? '');
    expect(await scan(UNPAID)).toMatchObject({ result: 'unpaid', used_at: null });
    const { passes } = await read(operatorPaths.doorPasses);
    expect(passes).toEqual([{ drop: 1, all: 5, used: 0 }]);
    const mail = await mailsTo(0);
    expect(mail).toContain('Subject: Your pass for one mask in Small');
    expect(mail.replaceAll(/\s+/g, ' ')).toMatch(/Pay by \w+ \d+ at/);
    expect((await offerPage(0)).payload).not.toContain(codes[0]);
  });

  step('is paid, and its member is mailed that', async () => {
    await run('selling masks');
    for (const index of PAYERS) {
      stripe.shipsTo = index < 2 ? SHIPPING : null;
      stripe.pay((await offerOf(apiPaths.offer, index))?.shop_link ?? '');
      await app.sql(`update checkout set next_at = '-infinity'`);
      await run('selling masks');
      expect(await offerOf(apiPaths.offer, index)).toMatchObject({ state: 'paid' });
      expect(await mailsTo(index)).toContain('Subject: Your mask in Small is paid');
    }
    const notes = (await packed()).map(({ name, note }) => `${name} ${note}`);
    expect(notes.sort()).toEqual([
      ...Array(2).fill(' paid, no address'),
      ...Array(2).fill('Ada Lovelace '),
    ]);
    expect((await offerPage(0)).payload).toContain(codes[0]);
  });

  step('is collected at a door, and then neither packed nor asked about', async () => {
    expect(await scan(2)).toMatchObject({ result: 'given', email: 'ghost2@example.com' });
    expect(await scan(2, { scan: 'another' })).toMatchObject({ result: 'used' });
    expect(new Set((await packed()).map(({ code }) => code))).toEqual(
      new Set([codes[0], codes[1], codes[3]]),
    );
    expect((await change('ask-addresses')).summary).toBe('1 member was asked for an address.');
    expect(await mailsTo(2)).not.toContain('Where should your mask go?');
    expect(await send(`${codes[2]}, JD01`)).toMatchObject({
      status: 409,
      detail: expect.stringContaining('handed over at a door'),
    });
    expect((await read(operatorPaths.till)).checkouts).toMatchObject({ paid: 4 });
    const { masks, rows } = await money();
    expect(masks).toEqual({ passes: 5, paid: 4, handed_over: 1, sent: 0 });
    expect(rows).toContainEqual(
      expect.objectContaining({
        member_id: idOf(2),
        pass: 'handed_over',
        state: 'kept',
        cents: 9_900,
        handed_at: expect.any(String),
        sent_at: null,
      }),
    );
    await change('cancel-pass', { code: codes[4], note: 'x' });
  });

  step('is neither sent nor handed over while its money is back and nobody said why', async () => {
    const [offer] = await list({ text: 'ghost1@example.com' });
    const move = async (how: 'dispute' | 'win' | 'refund') => {
      stripe.move(offer?.id ?? '', how);
      await app.sql(`update till_payment set next_at = '-infinity'`);
      await run('selling masks');
    };
    // Who disputes a payment has not been given it back, and reads nothing of the kind.
    await move('dispute');
    expect(await scan(1)).toMatchObject({ result: 'unpaid', used_at: null });
    expect(await offerOf(apiPaths.offer, 1)).toMatchObject({ state: 'paid', refund: null });
    await move('win');
    await move('refund');
    expect(await scan(1)).toMatchObject({ result: 'unpaid', used_at: null });
    expect(await offerOf(apiPaths.offer, 1)).toMatchObject({ state: 'paid', refund: 'done' });
    const note = 'its money went back: settle it under Money, and do not send it before';
    expect((await packed()).find(({ code }) => code === codes[1])?.note).toBe(note);
    const labels = (await packed('carrier')).map((row) => row['Order reference']);
    expect(labels).toEqual([codes[0]]);
    const { rows } = await money();
    const payment = rows.find(({ state }) => state === 'by_hand')?.payment;
    await change('settle-payment', { payment, note: 'A present.' });
    expect(await offerOf(apiPaths.offer, 1)).toMatchObject({ state: 'paid', refund: null });
    expect(await packed('carrier')).toHaveLength(2);
  });

  step('is kept with its address for who leaves, who is told so before', async () => {
    const page = await open(app, leavePage(0));
    expect([pageOf(page), placesOf(page).detail]).toEqual([
      'leave-paid',
      'We keep the address for it until it is sent, and nothing else.',
    ]);
    expect(placesOf(await open(app, leavePage(3))).detail).toContain('Tell us first');
    expect(pageOf(await open(app, leavePage(UNPAID)))).toBe('leave');
    const removed = { member_ids: [idOf(1), idOf(3)] };
    expect((await preview('remove-members', removed)).sentences.join(' ')).toContain(
      '2 masks are paid and still to be sent: the packing list keeps where to until then. Of 1',
    );
    expect(pageOf(await postForm(app, leavePage(0)))).toBe('left-paid');
    await change('remove-members', removed);
    await run('making offers');
    await run('deleting the addresses of masks');
    const rows = (await packed()).map(({ code, email, town, note }) => [code, email, town, note]);
    expect(rows.sort()).toEqual(
      [
        [codes[0], 'ghost0@example.com', 'Berlin', 'has left the line'],
        [codes[1], 'ghost1@example.com', 'Berlin', 'has left the line'],
        [codes[3], 'ghost3@example.com', '', 'paid, no address, has left the line'],
      ].sort(),
    );
    expect(await list({ state: 'unaddressed' })).toMatchObject([
      { state: 'paid', email: null, kept_email: 'ghost3@example.com', has_address: false },
    ]);
  });

  step('is sent, once, and what was kept for it goes after the days that are set', async () => {
    const sent = await send(`${codes[0]}, JD00`, `${codes[3]}, JD03`);
    expect(sent.summary).toBe('2 masks were marked as sent with DHL.');
    expect((await packed()).map(({ code }) => code)).toEqual([codes[1]]);
    expect(await scan(0)).toMatchObject({ result: 'used', used_by: 'DHL' });
    expect(await list({ state: 'sent' })).toHaveLength(2);
    const { masks, rows } = await money();
    expect(masks).toEqual({ passes: 4, paid: 4, handed_over: 1, sent: 2 });
    expect(rows).toContainEqual(
      expect.objectContaining({
        member_id: idOf(0),
        pass: 'sent',
        state: 'kept',
        handed_at: null,
        sent_at: expect.any(String),
      }),
    );
    const keptFor = async (days: number) => {
      await app.sql(`update parcel set sent_at = sent_at - make_interval(days => ${days})`);
      await run(FORGET);
      const kept = 'select from parcel where address is not null or email is not null';
      return (await app.sql(kept)).length;
    };
    expect([await keptFor(29), await keptFor(2)]).toEqual([3, 1]);
  });
});

describe.each(oneEngine)('parcels on %s', (engine) => {
  const made = provideMasks(engine, 4, {});
  const { app, ids, codes, mailsTo, readFile, list, send } = made;
  const { post, change, undo, run } = app;
  beforeAll(async () => {
    for (const [index, id] of ids.entries())
      await inTransaction(app.database, async (transaction) => {
        const code = (await acceptOffer(transaction, id)).code ?? '';
        codes.push(code);
        if (index < 3) await redeemPass(transaction, { code, order: `#${index}` });
      });
  });
  const pageFor = (index: number) =>
    fillPath(mailPagePaths.reward, tokenOf(ids[index] ?? '', 'reward'), 'mask');
  const addresses = async () =>
    (await app.sql('select from parcel where address is not null')).length;
  const forget = async (left: number) => {
    await run(FORGET);
    expect(await addresses()).toBe(left);
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
    const packed = await readFile();
    expect(packed.map(({ code, name }) => [code, name]).sort()).toEqual(
      [
        [codes[0], 'Ada Lovelace'],
        [codes[1], ''],
        [codes[2], 'Ada Lovelace'],
      ].sort(),
    );
    const carried = await readFile('carrier');
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
      for (const [parcels, words] of [
        [['no comma'], 'unlike this one: no comma'],
        [[`${codes[0]}, 1`, `${codes[0]}, 2`], 'in the list twice'],
        [
          [`${codes[0]}, JD01`, `${codes[3]}, JD02`],
          `or were sent or handed over at a door: ${codes[3]}.`,
        ],
      ] as const)
        expect((await send(...parcels)).detail).toContain(words);
      expect(await mailsTo(0)).not.toContain('JD01');
      const sent = await send(`${codes[0]}, JD01`, `"${codes[1]}";"JD02"`);
      expect(sent.summary).toBe('2 masks were marked as sent with DHL.');
      for (const index of [0, 1])
        expect(await mailsTo(index)).toContain(`The tracking number is JD0${index + 1}.`);
      expect(await send(`${codes[1]}\tJD03`)).toMatchObject({ status: 409 });
      expect((await readFile()).map(({ code }) => code)).toEqual([codes[2]]);
      expect(await list({ text: ids[1] })).toMatchObject([{ carrier: 'DHL', tracking: 'JD02' }]);
      expect(pageOf(await open(app, pageFor(0)))).toBe('reward-sent');
      expect((await postForm(app, pageFor(0), ADDRESS)).statusCode).toBe(409);
    },
  );

  step('addresses go after the days that are set, and with their members', async () => {
    /** Sets the clock forward by so many days, so to speak. */
    const passDays = async (days: number) => {
      const by = `make_interval(days => ${days})`;
      await app.sql(
        `update parcel set sent_at = sent_at - ${by}, answered_at = answered_at - ${by}`,
      );
      await app.sql(`update mask_drop set closed_at = closed_at - ${by}`);
    };
    await passDays(29);
    await forget(2);
    await passDays(2);
    await forget(1);
    // What is paid and not sent is owed, also to a member who has left meanwhile.
    await change('close-drop');
    await passDays(365);
    await forget(1);
    const removed = await change('remove-members', { member_ids: [ids[2]] });
    expect(await addresses()).toBe(1);
    await undo(removed.change);
    expect(pageOf(await open(app, pageFor(2)))).toBe('reward-answered');
    await change('erase-member', { member: ids[2] });
    expect(await addresses()).toBe(1);
    const tap = { code: codes[2], scan: 'a wrong tap' };
    expect(await post(operatorPaths.scanPass, tap)).toMatchObject({ result: 'given' });
    await run(FORGET);
    expect(await post(operatorPaths.undoScan, tap)).toMatchObject({ result: 'undone' });
    expect(await addresses()).toBe(1);
    await post(operatorPaths.scanPass, { ...tap, scan: 'a right one' });
    await app.sql(`
      update offer set handed_at = handed_at - interval '61 seconds' where state = 'handed_over'`);
    await forget(0);
    await post(operatorPaths.redeemPass, { code: codes[3], order: '#3' });
    await change('ask-addresses', { drop: 1 });
    await postForm(app, pageFor(3), ADDRESS);
    expect(await addresses()).toBe(1);
    await change('cancel-pass', { code: codes[3], note: 'x' });
    await forget(0);
  });
});
