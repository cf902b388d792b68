/** A pass and its checkout, from the acceptance to the payment, by a link and at Stripe's fake. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { LookedAtOffer } from '../../contract/drop/offer-views.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { oneEngine } from '../support/engines.ts';
import { FakeStripe } from '../support/fake-stripe.ts';
import { tellStory } from '../support/tell-story.ts';
import { open, readKeptMail, settleMail } from './mail-links.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const AS_OWNER = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const KEY = 'rk_live_0123456789';
const WEBHOOK_SECRET = 'whsec_0123456789';
const PRICE = { cents: 9_900, currency: 'EUR', countries: ['DE', 'AT'] };

describe.each(oneEngine)('the till on %s', (engine) => {
  let app: TestApp;
  const ids: string[] = [];
  const fake = new FakeStripe();
  const realFetch = globalThis.fetch;

  beforeAll(async () => {
    app = await openTestApp(engine, { shopUrl: 'https://shop.example.com/' });
    globalThis.fetch = fake.fetch;
    for (const index of [0, 1, 2, 3]) ids.push((await app.join(`ghost${index}@example.com`)).id);
    for (const [size, stock] of Object.entries({ Small: 2, Medium: 0, Large: 0 }))
      await change('set-stock', { size, stock });
    await change('freeze-drop', { first: 4 });
    await change('announce-draw', { by_rank: 2, drawn_among: 0, source: 'none' });
    await change('select-entrants');
    await change('start-offers', { minutes: 20_000, time_zone: 'UTC', pay_hours: 6 });
    await run('making offers');
  });
  afterAll(async () => {
    globalThis.fetch = realFetch;
    await app.remove();
  });

  const post = async (url: string, payload: object, headers: Record<string, string> = AS_OWNER) => {
    const answer = await app.fastify.inject({ method: 'POST', url, payload, headers });
    return { status: answer.statusCode, ...answer.json() };
  };
  const change = (kind: string, input: object = {}) =>
    post(operatorPaths.changes, { kind, input, reason: 'launch day' });
  const run = (name: string) => app.scheduledWork.find((work) => work.name === name)?.run();
  const view = async () =>
    (await app.fastify.inject({ url: operatorPaths.till, headers: AS_OWNER })).json();
  const look = async (index: number): Promise<LookedAtOffer['offer']> =>
    (await app.fastify.inject(fillPath(apiPaths.offerOf, ids[index] ?? ''))).json().offer;
  const tokenOf = async (index: number) => {
    await settleMail(app);
    const mails = await readKeptMail(app, ids[index]);
    return mails.flatMap((mail) => /#offer=3D([\w-]+)/.exec(mail)?.[1] ?? []).at(-1) ?? '';
  };
  const act = async (path: string, index: number) =>
    await post(path, { token: await tokenOf(index) }, {});
  /** The page of a pass without script. */
  const readPage = async (index: number) => {
    const { payload } = await open(app, fillPath(mailPagePaths.offer, await tokenOf(index)));
    return payload.replace(/<svg.*<\/svg>/s, '');
  };
  const accept = (index: number) => act(apiPaths.acceptOffer, index);
  const endTime = () =>
    sql`update checkout set pay_by = now(), next_at = now() where state = 'created'`.execute(
      app.database.kysely,
    );
  const notify = (kind: string, { body, headers }: ReturnType<FakeStripe['notice']>) =>
    app.fastify.inject({
      method: 'POST',
      url: fillPath(apiPaths.tillNotices, kind),
      payload: body,
      headers: { ...headers, 'content-type': 'application/json' },
    });

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
    'is a link with the code anywhere, and a shop that redeems: a pass ends in time',
    async () => {
      const link = (url: string) => change('set-till', { link: { url, reports: true } });
      expect(await link('http://shop.example.com/?c={code}')).toMatchObject({ status: 422 });
      expect(await link('https://shop.example.com/c/{code}/mask')).toMatchObject({ status: 201 });
      const { offer } = await act(apiPaths.offer, 0);
      expect(offer.shop_link).toBe(`https://shop.example.com/c/${offer.code}/mask`);
      expect(await readPage(0)).toContain(`href="${offer.shop_link}">Open the shop`);
      const leftMs = Date.parse(offer.checkout.pay_by) - Date.now();
      expect(Math.round(leftMs / 3_600_000)).toBe(6);
      await run('selling masks');
      await endTime();
      await run('selling masks');
      expect(await look(0)).toMatchObject({ state: 'cancelled', checkout: { state: 'expired' } });
      const late = await post(operatorPaths.redeemPass, { code: offer.code, order: '#1' });
      expect(late).toMatchObject({ status: 409 });
      await run('making offers');
      expect(await look(2)).toMatchObject({ state: 'open' });
    },
  );

  step('is Stripe, with keys that nobody reads again', async () => {
    const stripe = (more: object) => change('set-till', { stripe: PRICE, ...more });
    expect(await stripe({})).toMatchObject({
      status: 422,
      detail: 'Stripe needs its secret key and webhook secret.',
    });
    const keys = { secret_key: KEY, webhook_secret: WEBHOOK_SECRET };
    expect(await stripe(keys)).toMatchObject({ status: 201 });
    expect(await stripe({})).toMatchObject({ status: 201 });
    const { rows } = await sql<{ all: string }>`
      select (select till::text from till) || (select string_agg(e::text, '') from audit_entry e)
        as all
    `.execute(app.database.kysely);
    const shown = JSON.stringify(await view());
    for (const secret of [KEY, WEBHOOK_SECRET]) {
      expect(rows[0]?.all).not.toContain(secret);
      expect(shown).not.toContain(secret);
    }
    fake.paymentLinks = ['plink_1'];
    const tested = async () => (await post(operatorPaths.testTill, {})).findings;
    expect((await tested()).map((one: { is_good: boolean }) => one.is_good)).toEqual([
      true,
      false,
      false,
    ]);
    fake.paymentLinks = [];
    fake.webhooks = [(await view()).notices_url];
    for (const finding of await tested()) expect(finding).toMatchObject({ is_good: true });
    fake.faults.push('lost');
    expect(await tested()).toEqual([{ is_good: false, sentence: 'Stripe did not answer.' }]);
  });

  step('gives each holder a checkout that nobody else is shown', async () => {
    const { offer } = await accept(1);
    expect(offer).toMatchObject({ shop_link: null, checkout: { state: 'wanted', is_own: true } });
    expect(await readPage(1)).toContain('Your checkout is being made.');
    await Promise.all([run('selling masks'), run('selling masks')]);
    const { offer: own } = await act(apiPaths.offer, 1);
    expect(own).toMatchObject({ checkout: { state: 'created' } });
    expect(own.shop_link).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect(JSON.stringify(await look(1))).not.toContain('stripe.com');
    const page = await readPage(1);
    expect(page).toContain(`href="${own.shop_link}">Pay now`);
    expect(page).toMatch(/Pay until <strong>[^<]+ UTC</);
    const [session] = fake.open();
    expect(session).toMatchObject({ amount_total: 9_900, currency: 'eur' });
    expect(session?.name).toMatch(/size Small$/);
    expect(await change('set-till', { link: { reports: false } })).toMatchObject({
      status: 409,
      detail: 'Stripe has 1 open checkout or refund: wait until they are settled.',
    });
  });

  step('learns of a payment by a signed notice, and by no other', async () => {
    const { offer } = await act(apiPaths.offer, 1);
    const [session] = fake.open();
    fake.pay(offer.shop_link);
    const id = session?.id ?? '';
    const forged = await notify('stripe', fake.notice(id, 'whsec_of_somebody_else'));
    expect(forged.statusCode).toBe(401);
    const good = fake.notice(id, WEBHOOK_SECRET);
    expect((await notify('link', good)).statusCode).toBe(404);
    for (const notice of [good, good])
      expect((await notify('stripe', notice)).statusCode).toBe(202);
    await run('selling masks');
    expect(await look(1)).toMatchObject({ state: 'redeemed', checkout: { state: 'paid' } });
    expect(await view()).toMatchObject({ checkouts: { paid: 1, created: 0 }, payments: [] });
  });

  step('shows what was taken by hand, and gives back what came for an ended pass', async () => {
    await accept(2);
    await run('selling masks');
    const { offer } = await act(apiPaths.offer, 2);
    await change('cancel-pass', { code: offer.code, note: 'x' });
    fake.pay(offer.shop_link);
    const byHand = fake.payByHand();
    await notify('stripe', fake.notice('', WEBHOOK_SECRET, 'charge.refunded'));
    await sql`update till set compare_at = '-infinity'`.execute(app.database.kysely);
    await run('selling masks');
    await run('selling masks');
    const { payments } = await view();
    expect(payments).toContainEqual(
      expect.objectContaining({ reference: byHand, state: 'foreign', member_id: null }),
    );
    expect(payments).toContainEqual(
      expect.objectContaining({ state: 'refunded', member_id: ids[2], cents: 9_900 }),
    );
    expect(fake.open()).toEqual([]);
  });
});
