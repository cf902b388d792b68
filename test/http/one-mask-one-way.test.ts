/** Masks that are paid at a till: handed over or sent, once, also to members who have left. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { OwnOffer } from '../../contract/drop/offer-views.ts';
import type { ListedOffer } from '../../contract/operator/drop/listed-offers.ts';
import type { Money } from '../../contract/operator/drop/till.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { oneEngine } from '../support/engines.ts';
import { FakeStripe } from '../support/fake-stripe.ts';
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

const TILL = {
  stripe: { cents: 9_900, currency: 'EUR', countries: ['DE'] },
  ...{ secret_key: 'rk_live_0123456789', webhook_secret: 'whsec_0123456789' },
};
const SHIPPING = {
  name: 'Ada Lovelace',
  address: { line1: 'Ockham Road 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
};
const PAYERS = [0, 1, 2, 3];
const UNPAID = 4;

describe.each(oneEngine)('a mask that is paid on %s', (engine) => {
  let app: TestApp;
  const stripe = new FakeStripe();
  const realFetch = globalThis.fetch;
  const ids: string[] = [];
  const codes: string[] = [];
  const idOf = (index: number) => ids[index] ?? '';

  beforeAll(async () => {
    globalThis.fetch = stripe.fetch;
    app = await openTestApp(engine, { secretKey: SECRET_KEY, addressDays: 30 });
    for (let index = 0; index < 5; index++)
      ids.push((await app.join(`ghost${index}@example.com`)).id);
    await change('set-till', TILL);
    await offerMasks(5, { minutes: 720, pay_hours: 6 });
  });
  afterAll(async () => {
    globalThis.fetch = realFetch;
    await app.remove();
  });

  const { post, get, change, preview, run, offerMasks } = ownerCalls(() => app);
  const offerOf = async (path: string, index: number): Promise<OwnOffer['offer']> =>
    (await post(path, { token: tokenOf(idOf(index), 'offer') })).offer;
  const scan = (index: number, more: object = {}) =>
    post(operatorPaths.scanPass, { code: codes[index], scan: `scan ${index}`, ...more });
  const mailsTo = async (index: number) => {
    await settleMail(app);
    return readKeptMail(app, idOf(index)).join('\n');
  };
  const packed = async (file = 'packing-list'): Promise<Record<string, string>[]> => {
    const url = fillPath(operatorPaths.exportDrop, file);
    return parse((await get(url)).body, { columns: true });
  };
  const money = async (): Promise<Money> => (await get(operatorPaths.money)).json();
  const list = async (body: object): Promise<ListedOffer[]> =>
    (await post(operatorPaths.listOffers, body)).offers;
  const leavePage = (index: number) =>
    fillPath(mailPagePaths.leave, tokenOf(idOf(index), 'preferences'));

  const step = tellStory('goes one way');

  step('says what it costs and until when it is paid, before anybody accepts', async () => {
    expect(await offerOf(apiPaths.offer, 0)).toMatchObject({ price: '€99.00', pay_hours: 6 });
    const page = await open(app, fillPath(mailPagePaths.offer, tokenOf(idOf(0), 'offer')));
    const terms = 'It costs €99.00. Once you accept, you have 6 hours to pay.';
    expect(placesOf(page).detail).toBe(terms);
    const mail = (await mailsTo(0)).replaceAll('=E2=82=AC', '€').replaceAll(/\s+/g, ' ');
    expect(mail).toContain('It costs €99.00. Once you accept it, you have 6 hours to pay.');
    expect(mail).not.toContain('a code');
  });

  step('is not handed over before the till says that it is paid', async () => {
    for (const index of [...PAYERS, UNPAID])
      codes.push((await offerOf(apiPaths.acceptOffer, index))?.code ?? '');
    expect(await scan(UNPAID)).toMatchObject({ result: 'unpaid', used_at: null });
    const { passes } = (await get(operatorPaths.doorPasses)).json();
    expect(passes).toEqual([{ drop: 1, all: 5, used: 0 }]);
    const mail = await mailsTo(0);
    expect(mail).toContain('Subject: Your pass for one mask in Small');
    expect(mail.replaceAll(/\s+/g, ' ')).toMatch(/Pay by \w+ \d+ at/);
    const page = await open(app, fillPath(mailPagePaths.offer, tokenOf(idOf(0), 'offer')));
    expect(page.payload).not.toContain(codes[0]);
  });

  step('is paid, and its member is mailed that', async () => {
    await run('selling masks');
    for (const index of PAYERS) {
      stripe.shipsTo = index < 2 ? SHIPPING : null;
      stripe.pay((await offerOf(apiPaths.offer, index))?.shop_link ?? '');
      await app.database.runSql(`update checkout set next_at = '-infinity'`);
      await run('selling masks');
      expect(await offerOf(apiPaths.offer, index)).toMatchObject({ state: 'paid' });
      expect(await mailsTo(index)).toContain('Subject: Your mask in Small is paid');
    }
    expect((await packed()).map(({ name, note }) => [name, note]).sort()).toEqual([
      ['', 'paid, no address'],
      ['', 'paid, no address'],
      ['Ada Lovelace', ''],
      ['Ada Lovelace', ''],
    ]);
    const page = await open(app, fillPath(mailPagePaths.offer, tokenOf(idOf(0), 'offer')));
    expect(page.payload).toContain(codes[0]);
  });

  step(
    'is paid online and collected at a door, and then neither packed nor asked about',
    async () => {
      expect(await scan(2)).toMatchObject({ result: 'given', email: 'ghost2@example.com' });
      expect(await scan(2, { scan: 'another' })).toMatchObject({ result: 'used' });
      expect((await packed()).map(({ code }) => code).sort()).toEqual(
        [codes[0], codes[1], codes[3]].sort(),
      );
      expect((await change('ask-addresses')).summary).toBe('1 member was asked for an address.');
      expect(await mailsTo(2)).not.toContain('Where should your mask go?');
      const parcels = [`${codes[2]}, JD01`];
      expect(await change('mark-masks-sent', { carrier: 'DHL', parcels })).toMatchObject({
        status: 409,
        detail: expect.stringContaining('handed over at a door'),
      });
      const { checkouts } = (await get(operatorPaths.till)).json();
      expect(checkouts).toMatchObject({ paid: 4 });
      const { masks, rows } = await money();
      expect(masks).toEqual({ passes: 5, paid: 4, handed_over: 1, sent: 0 });
      expect(rows).toContainEqual(
        expect.objectContaining({
          ...{ member_id: idOf(2), pass: 'handed_over', state: 'kept', cents: 9_900 },
          ...{ handed_at: expect.any(String), sent_at: null },
        }),
      );
      await change('cancel-pass', { code: codes[UNPAID], note: 'x' });
    },
  );

  step('is neither sent nor handed over while its money is back and nobody said why', async () => {
    const [offer] = await list({ text: 'ghost1@example.com' });
    const move = async (how: 'dispute' | 'win' | 'refund') => {
      stripe.move(offer?.id ?? '', how);
      await app.database.runSql(`update till_payment set next_at = '-infinity'`);
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
    const parcels = [`${codes[0]}, JD00`, `${codes[3]}, JD03`];
    const sent = await change('mark-masks-sent', { carrier: 'DHL', parcels });
    expect(sent.summary).toBe('2 masks were marked as sent with DHL.');
    expect((await packed()).map(({ code }) => code)).toEqual([codes[1]]);
    expect(await scan(0)).toMatchObject({ result: 'used', used_by: 'DHL' });
    expect(await list({ state: 'sent' })).toHaveLength(2);
    const { masks, rows } = await money();
    expect(masks).toEqual({ passes: 4, paid: 4, handed_over: 1, sent: 2 });
    expect(rows).toContainEqual(
      expect.objectContaining({
        ...{ member_id: idOf(0), pass: 'sent', state: 'kept', handed_at: null },
        sent_at: expect.any(String),
      }),
    );
    const keptFor = async (days: number) => {
      await app.database.runSql(
        `update parcel set sent_at = sent_at - make_interval(days => ${days})`,
      );
      await run('deleting the addresses of masks');
      const { rows } = await app.database.runSql(
        'select from parcel where address is not null or email is not null',
      );
      return rows.length;
    };
    expect(await keptFor(29)).toBe(3);
    expect(await keptFor(2)).toBe(1);
  });
});
