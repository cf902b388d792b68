/** A pass and its checkout, from the acceptance to the payment, by a link and at fakes of shops. */
import { beforeAll, describe, expect } from 'vitest';
import type { LookedAtOffer } from '../../contract/drop/offer-views.ts';
import type { Money } from '../../contract/operator/drop/till.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { loadOffers } from '../../server/drop/views/drop-mails.ts';
import { oneEngine } from '../support/engines.ts';
import { FakeShopify } from '../support/fake-shopify.ts';
import { tellStory } from '../support/tell-story.ts';
import { open, pageOf } from './mail-links.ts';
import { provideApp } from './provide-app.ts';
import { SHOPS, type Shop, shopify, stripe } from './till-shops.ts';

/** The members of each shop in turn: one pays, and one pays too late. */
const PAYS = [1, 3];
const IS_LATE = [2, 4];

describe.each(oneEngine)('the till on %s', (engine) => {
  const app = provideApp(engine, { shopUrl: 'https://shop.example.com/' });
  const { post, read, change, preview, refuses, run, sql } = app;
  let ids: string[] = [];

  beforeAll(async () => {
    ids = await app.joinGhosts(6);
    await app.offerMasks(5, { minutes: 20_000, pay_hours: 6 }, 6);
  });

  const view = () => read(operatorPaths.till);
  const payments = async () => {
    const { rows }: Money = await read(operatorPaths.money);
    return rows.filter(({ payment }) => payment !== null);
  };
  const look = async (index: number): Promise<LookedAtOffer['offer']> =>
    (await read(fillPath(apiPaths.offerOf, ids[index] ?? ''))).offer;
  const mailsOf = (index: number) => app.mailsTo(ids[index]);
  const linkOf = async (index: number) =>
    (await mailsOf(index)).flatMap((mail) => /#offer=3D([\w-]+)/.exec(mail)?.[1] ?? []).at(-1) ??
    '';
  const act = async (path: string, index: number) =>
    await post(path, { token: await linkOf(index) }, {});
  const plainPage = async (index: number) =>
    await open(app, fillPath(mailPagePaths.offer, await linkOf(index)));
  const accept = (index: number) => act(apiPaths.acceptOffer, index);
  const endTime = (state = 'created') =>
    sql('update checkout set pay_by = now(), next_at = now() where state = $1', [state]);
  const notify = (kind: string, { body, headers }: ReturnType<Shop['notice']>) =>
    app.fastify.inject({
      method: 'POST',
      url: fillPath(apiPaths.tillNotices, kind),
      payload: body,
      headers: { ...headers, 'content-type': 'application/json' },
    });

  const chooseOther = async ({ kind, other }: Shop) => {
    const { fetch } = globalThis;
    if (kind === 'shopify') globalThis.fetch = new FakeShopify('2').fetch;
    const answer = await change('set-till', { [kind]: other.settings, ...other.keys });
    globalThis.fetch = fetch;
    return answer;
  };
  const compareAll = async () => {
    for (const _round of [1, 2, 3]) {
      await sql(`update till_account set compare_at = '-infinity'`);
      await sql(`update till_payment set next_at = '-infinity'`);
      await run('selling masks');
    }
  };
  const passOf = async (index: number) => {
    const own = 'select id, code from offer where member_id = $1';
    const [pass] = await sql<{ id: string; code: string }>(own, [ids[index]]);
    return pass ?? { id: '', code: '' };
  };

  const step = tellStory('goes through one step after the other');

  step('is the link of SHOP_URL at first, whose passes do not end by themselves', async () => {
    const { offer } = await accept(0);
    expect(offer).toMatchObject({
      state: 'accepted',
      checkout: null,
      shop_link: `https://shop.example.com/${offer.code}`,
    });
    await run('selling masks');
    await endTime();
    await run('selling masks');
    expect(await look(0)).toMatchObject({ state: 'accepted' });
    expect(await view()).toMatchObject({ kind: 'link', overdue: 1, notices_url: null });
  });

  step(
    'is a link with the code anywhere, and a shop that redeems: passes end in time',
    async () => {
      const link = (url: string) => change('set-till', { link: { url, reports: true } });
      expect(await link('http://shop.example.com/?c={code}')).toMatchObject({ status: 422 });
      expect(await link('https://shop.example.com/c/{code}/mask')).toMatchObject({ status: 201 });
      const { offer } = await act(apiPaths.offer, 0);
      expect(offer.shop_link).toBe(`https://shop.example.com/c/${offer.code}/mask`);
      const { payload: page } = await plainPage(0);
      expect(page).toContain(`href="${offer.shop_link}">Open the shop`);
      const leftMs = Date.parse(offer.checkout.pay_by) - Date.now();
      expect(Math.round(leftMs / 3_600_000)).toBe(6);
      expect(page).toMatch(/Pay until <strong>[^<]+ UTC</);
      const inHours = (hours: number) =>
        `to_char(now() at time zone 'UTC' + make_interval(hours => ${hours}), 'HH24:MI')`;
      await sql(`update mask_drop set quiet_from = ${inHours(5)}, quiet_until = ${inHours(9)}`);
      await run('selling masks');
      await sql('update mask_drop set quiet_from = null, quiet_until = null');
      // The time to pay would end at night, and so ends after it.
      const planned = await sql(`select from checkout
      where pay_by between now() + '8.9 hours' and now() + '9 hours'
        and remind_at between now() + '4.4 hours' and now() + '4.5 hours'`);
      expect(planned).toHaveLength(1);
      await sql('update checkout set remind_at = now(), next_at = now()');
      await Promise.all([run('selling masks'), run('selling masks')]);
      await mailsOf(0);
      await endTime();
      await run('selling masks');
      expect(await look(0)).toMatchObject({ state: 'cancelled', checkout: { state: 'expired' } });
      const mails = await mailsOf(0);
      for (const words of [
        'is not paid for yet',
        'Subject: Your pass for a mask in Small has ended',
      ])
        expect(mails.filter((mail) => mail.includes(words))).toHaveLength(1);
      expect(pageOf(await plainPage(0))).toBe('offer-elsewhere');
      const late = await post(operatorPaths.redeemPass, { code: offer.code, order: '#1' });
      expect(late).toMatchObject({ status: 409 });
      await run('making offers');
      expect(await look(5)).toMatchObject({ state: 'open' });
    },
  );

  for (const [nth, shop] of SHOPS.entries()) {
    const { kind, name, fake, settings, keys, secret } = shop;
    const payer = PAYS[nth] ?? 0;
    const late = IS_LATE[nth] ?? 0;

    step(`is ${name}, with keys that nobody reads again`, async () => {
      globalThis.fetch = fake.fetch;
      const choose = (more: object) => change('set-till', { [kind]: settings, ...more });
      expect(await choose({})).toMatchObject({ status: 422, detail: shop.lacks });
      expect(await choose(keys)).toMatchObject({ status: 201 });
      expect(await choose({})).toMatchObject({ status: 201 });
      const [row] = await sql<{ all: string }>(`
        select (select string_agg(t::text, '') from till_account t)
          || (select string_agg(e::text, '') from audit_entry e) as all`);
      const shown = JSON.stringify(await view());
      for (const key of Object.values(keys)) {
        expect(row?.all).not.toContain(key);
        expect(shown).not.toContain(key);
      }
      const tested = async () => (await post(operatorPaths.testTill, {})).findings;
      const { notices_url: noticesUrl } = await view();
      const planned = await preview('set-till', { [kind]: settings, ...keys });
      expect(planned.sentences).toContain(`A mask costs ${shop.costs}`);
      shop.sells(true, noticesUrl);
      const found = await tested();
      expect(found.map((one: { is_good: boolean }) => one.is_good)).toEqual(shop.found);
      shop.sells(false, noticesUrl);
      for (const finding of await tested()) expect(finding).toMatchObject({ is_good: true });
      fake.faults.push('lost');
      const sentence = `${name} did not answer.`;
      expect(await tested()).toEqual([{ is_good: false, sentence }]);
    });

    step(`gives each holder a checkout at ${name} that nobody else is shown`, async () => {
      const { offer } = await accept(payer);
      expect(offer).toMatchObject({ shop_link: null, checkout: { state: 'wanted', is_own: true } });
      expect((await plainPage(payer)).payload).toContain('Your checkout is being made.');
      await Promise.all([run('selling masks'), run('selling masks')]);
      const { offer: own } = await act(apiPaths.offer, payer);
      expect(own).toMatchObject({ checkout: { state: 'created' } });
      expect(own.shop_link).toMatch(shop.checkouts);
      expect(JSON.stringify(await look(payer))).not.toContain(own.shop_link);
      expect((await plainPage(payer)).payload).toContain(`href="${own.shop_link}">Pay now`);
      expect(fake.open()).toHaveLength(1);
      await refuses('set-till', { link: { reports: false } }, shop.taken);
      expect(await chooseOther(shop)).toMatchObject({ status: 409, detail: shop.taken });
      // An order of another product would not pay for the mask of this checkout.
      if (kind === 'shopify')
        await refuses('set-till', { shopify: { ...settings, product: '9' } }, shop.taken);
    });

    step(`says what a mask costs at ${name} now, and a pass what its checkout asks`, async () => {
      const prices = async () => [(await look(late))?.price, (await look(payer))?.price];
      const costing = async (cents: number, notice: () => Promise<unknown>) => {
        shopify.variantPrice = cents;
        if (kind === 'stripe') await change('set-till', { stripe: { ...settings, cents } });
        await notice();
      };
      const [now, later] = shop.prices;
      expect(await prices()).toEqual([now, now]);
      await costing(12_000, compareAll);
      expect(await prices()).toEqual([later, now]);
      const mailed = await loadOffers(app.database, [{ offerId: (await passOf(payer)).id }]);
      expect(mailed).toMatchObject([{ cost: { cents: 9_900 } }]);
      await costing(9_900, () => post(operatorPaths.testTill, {}));
      expect(await prices()).toEqual([now, now]);
    });

    step(`learns of a payment at ${name} by a signed notice, and by no other`, async () => {
      const { offer } = await act(apiPaths.offer, payer);
      fake.pay(offer.shop_link);
      const forged = await notify(kind, shop.notice(offer.shop_link, 'whsec_of_somebody_else'));
      expect(forged.statusCode).toBe(401);
      const good = shop.notice(offer.shop_link, secret);
      expect((await notify('link', good)).statusCode).toBe(404);
      for (const notice of [good, good]) expect((await notify(kind, notice)).statusCode).toBe(202);
      await run('selling masks');
      expect(await look(payer)).toMatchObject({ state: 'paid', checkout: { state: 'paid' } });
      expect(await view()).toMatchObject({ checkouts: { paid: nth + 1, created: 0 } });
      // Other keys could not give this payment back. The same account may have new ones.
      const refused = await chooseOther(shop);
      expect(refused).toMatchObject({ status: 409 });
      expect(refused.detail).toContain('keeps 1 payment of this drop');
      const again = await change('set-till', { [kind]: settings, ...keys });
      expect(again).toMatchObject({ status: 201 });
    });

    step(`ends no pass whose holder could not pay because ${name} was down`, async () => {
      const checkoutOf = async () => {
        const offer = await look(late);
        const payBy = Date.parse(offer?.checkout?.pay_by ?? '');
        const leftMs = Math.max(0, payBy - Date.now());
        return {
          pass: offer?.state,
          checkout: offer?.checkout?.state,
          hours: Math.round(leftMs / 3_600_000),
        };
      };
      await accept(late);
      for (const [state, hoursDown, hours] of [
        ['wanted', 6, 6],
        ['created', 0, 1],
      ] as const) {
        await endTime(state);
        fake.faults.push('lost', 'lost');
        await run('selling masks');
        expect(await checkoutOf()).toEqual({ pass: 'accepted', checkout: state, hours: hoursDown });
        fake.faults.length = 0;
        await endTime(state);
        await run('selling masks');
        expect(await checkoutOf()).toEqual({ pass: 'accepted', checkout: 'created', hours });
      }
    });

    step(`gives back what came too late to ${name}, and reads no other sale`, async () => {
      const { offer } = await act(apiPaths.offer, late);
      await change('cancel-pass', { code: offer.code, note: 'x' });
      fake.pay(offer.shop_link);
      const strange = [fake.payByHand(), ...fake.forge((await passOf(late)).id)];
      await notify(kind, shop.notice('', secret));
      await compareAll();
      const rows = await payments();
      expect(rows.filter(({ reference }) => strange.includes(reference ?? ''))).toEqual([]);
      expect(rows).toContainEqual(
        expect.objectContaining({ state: 'refunded', member_id: ids[late], cents: 9_900 }),
      );
      for (const { reference, isRefunded } of fake.payments())
        if (strange.includes(reference)) expect(isRefunded).toBe(false);
      expect(fake.open()).toEqual([]);
    });

    step(
      `asks about the mask when money moves at ${name}, until its owner settles it`,
      async () => {
        fake.move((await passOf(payer)).id, 'part');
        await compareAll();
        const [asked] = await payments();
        expect(asked).toMatchObject({
          state: 'by_hand',
          refunded_cents: 3_300,
          why: '33.00 EUR of 99.00 EUR went back at the till. What about its mask?',
        });
        const payment = asked?.payment;
        const why = 'A scratch, agreed with her.';
        const settle = () => change('settle-payment', { payment, note: why });
        expect(await settle()).toMatchObject({ status: 201 });
        expect(await settle()).toMatchObject({ status: 409 });
        await compareAll();
        const settled = expect.objectContaining({ payment, state: 'settled', why });
        expect(await payments()).toContainEqual(settled);
        expect(await look(payer)).toMatchObject({ state: 'paid' });
      },
    );
  }

  step('gives back what an account took that sells no longer', async () => {
    expect(await change('set-till', { link: { reports: false } })).toMatchObject({ status: 201 });
    globalThis.fetch = (url, init) =>
      String(url).startsWith('https://api.stripe.com/')
        ? stripe.fetch(url, init)
        : shopify.fetch(url, init);
    for (const payer of PAYS)
      await change('cancel-pass', { code: (await passOf(payer)).code, note: 'x' });
    const refunds = async () => Promise.all(PAYS.map(async (payer) => (await look(payer))?.refund));
    expect(await refunds()).toEqual(['due', 'due']);
    await compareAll();
    expect(await refunds()).toEqual(['done', 'done']);
    const rows = await payments();
    const of = (index: number) => rows.find(({ member_id: id }) => id === ids[PAYS[index] ?? 0]);
    expect(of(0)).toMatchObject({ state: 'refunded', kind: 'stripe', refunded_cents: 9_900 });
    expect(stripe.payments()[0]).toMatchObject({ isRefunded: true });
    expect(of(1)).toMatchObject({ state: 'refunded', kind: 'shopify', refunded_cents: 9_900 });
  });

  step('asks Shopify for the stock and the address of the holder, until the pass is paid', () => {
    const draft = [...shopify.drafts.values()].find(({ email }) => email);
    expect(draft).toMatchObject({ email: 'ghost3@example.com' });
    expect(draft?.variantId).toMatch(/small$/);
    const reservedMs = Date.parse(draft?.reservedUntil ?? '') - Date.now();
    expect(Math.round(reservedMs / 3_600_000)).toBe(6);
  });

  step('says to operators that Shopify lets nobody in any more', async () => {
    shopify.isLockedOut = true;
    const [, shop] = SHOPS;
    globalThis.fetch = shopify.fetch;
    const settings = { shopify: shop?.settings, ...shop?.keys };
    await refuses('set-till', settings, 'Shopify lets nobody in: it answered 400.');
    shopify.isLockedOut = false;
    shopify.drafts.clear();
  });
});
