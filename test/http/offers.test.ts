/** Offers of masks from the first mail to the order in the shop, through the calls and mails. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { LookedAtOffer, OwnOffer } from '../../contract/drop/offer-views.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { passHours } from '../line/offer-steps.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { readKeptMail, settleMail } from './mail-links.ts';
import { scanAtDoors } from './scan-at-doors.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const AS_OWNER = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const SHOP = 'https://shop.example.com/discount/';

describe.each(oneEngine)('offers on %s', (engine) => {
  let app: TestApp;
  const ids: string[] = [];

  beforeAll(async () => {
    app = await openTestApp(engine, { shopUrl: SHOP });
    for (const index of [0, 1, 2, 3, 4]) ids.push((await app.join(`ghost${index}@example.com`)).id);
    for (const [size, stock] of Object.entries({ Small: 2, Medium: 1, Large: 0 }))
      await change('set-stock', { size, stock });
    await confirmEverybody(app.database);
    await change('freeze-drop', { first: 5, domains: ['example.com'] });
    await change('announce-draw', { by_rank: 3, drawn_among: 0, source: 'none' });
    await change('select-entrants');
  });
  afterAll(() => app.remove());

  const post = async (url: string, payload: object, headers: Record<string, string> = AS_OWNER) => {
    const answer = await app.fastify.inject({ method: 'POST', url, payload, headers });
    return { status: answer.statusCode, ...answer.json() };
  };
  const change = async (kind: string, input: object = {}) =>
    post(operatorPaths.changes, { kind, input, reason: 'launch day' });
  const sweep = async (on: Pick<TestApp, 'scheduledWork'> = app) =>
    on.scheduledWork.find(({ name }) => name === 'making offers')?.run();
  const figures = async () =>
    (await app.fastify.inject({ url: operatorPaths.offers, headers: AS_OWNER })).json();
  const look = async (index: number): Promise<LookedAtOffer['offer']> =>
    (await app.fastify.inject(fillPath(apiPaths.offerOf, ids[index] ?? ''))).json().offer;
  const act = async (path: string, index: number, more = {}) =>
    post(path, { token: (await tokens(index)).at(-1) ?? '', ...more }, {});
  const mailsOf = async (index: number) => {
    await settleMail(app);
    return readKeptMail(app, ids[index]);
  };
  const tokens = async (index: number) =>
    (await mailsOf(index)).flatMap((mail) => /#offer=3D([\w-]+)/.exec(mail)?.[1] ?? []);

  const step = tellStory('goes through one step after the other');

  step('are made in the draw order, by mail, no more than there are masks', async () => {
    const wanted = { minutes: 720, time_zone: 'UTC' };
    for (const [terms, detail] of [
      [{ quiet_from: '22:00' }, /need both a beginning and an end/],
      [{ quiet_from: '08:00', quiet_until: '08:00' }, /cannot end when they begin/],
      [{ time_zone: 'Mars' }, /must be one such as Europe/],
    ] as const)
      expect((await change('start-offers', { ...wanted, ...terms })).detail).toMatch(detail);
    expect(await change('start-offers', wanted)).toMatchObject({ status: 201, undo_until: null });
    expect(await look(0)).toBeNull();
    const another = await app.openAnother();
    await Promise.all([sweep(), sweep(another), sweep()]);
    await another.close();
    expect(await figures()).toMatchObject({ state: 'offering', open: 3, accepted: 0 });
    for (const index of [0, 1, 2])
      expect(await look(index)).toMatchObject({ state: 'open', drop: 1 });
    expect([await look(3), await look(4)]).toEqual([null, null]);
    expect([(await tokens(0)).length, (await tokens(3)).length]).toEqual([1, 0]);
    const stats = (await app.fastify.inject(apiPaths.stats)).json();
    expect(stats.available_masks).toBe(0);
    for (const offer_id of ['nope', ids[0] ?? ''])
      expect(await change('extend-offers', { minutes: 60, offer_id })).toMatchObject({
        status: 409,
        detail: 'No open offer has begun that could be extended.',
      });
  });

  step('are accepted by the link of the mail, not by the member id, and once', async () => {
    const forged = await post(apiPaths.acceptOffer, { token: ids[0] ?? '' }, {});
    expect(forged).toMatchObject({ status: 403 });
    const [first, again] = await Promise.all([
      act(apiPaths.acceptOffer, 0),
      act(apiPaths.acceptOffer, 0),
    ]);
    expect(first).toMatchObject({ status: 200, offer: { state: 'accepted' } });
    expect(first.offer.code).toMatch(/^[2-9A-Z]{4}(-[2-9A-Z]{4}){3}$/);
    expect(first.offer.shop_link).toBe(SHOP + first.offer.code);
    expect(again.offer).toEqual(first.offer);
    expect(JSON.stringify(await look(0))).not.toContain(first.offer.code);
    expect(await act(apiPaths.declineOffer, 0)).toMatchObject({
      status: 409,
      detail: 'You have accepted this offer.',
    });
    const passes = (await mailsOf(0)).filter((mail) => mail.includes('Subject: Your pass'));
    expect(passes).toHaveLength(1);
    expect(passes.join()).toMatch(/#offer=3D[\w-]/);
    expect((await mailsOf(0)).join()).not.toContain(first.offer.code);
  });

  step('go to the next when they are declined or run out, with one reminder before', async () => {
    expect(await act(apiPaths.declineOffer, 1)).toMatchObject({ offer: { state: 'declined' } });
    await sweep();
    expect(await look(3)).toMatchObject({ state: 'open' });
    await settleMail(app);
    await passHours(app.database, 11);
    await Promise.all([sweep(), sweep()]);
    await sweep();
    const reminded = (await mailsOf(2)).filter((mail) => mail.includes('We do not remind'));
    expect(reminded).toHaveLength(1);
    await passHours(app.database, 2);
    expect((await look(2))?.state).toBe('expired');
    expect(await act(apiPaths.acceptOffer, 2)).toMatchObject({
      status: 409,
      detail: 'This offer has ended.',
    });
    await sweep();
    expect(await look(4)).toMatchObject({ state: 'open' });
    expect(await figures()).toMatchObject({ open: 1, accepted: 1, declined: 1, expired: 2 });
    const { payload } = await app.fastify.inject({ url: '/metrics', headers: AS_OWNER });
    for (const line of ['waitlist_offers_open 1', 'waitlist_passes_given 1'])
      expect(payload.split('\n')).toContain(line);
  });

  step('are listed by state and member, and counted by size', async () => {
    const list = async (body: object, headers: Record<string, string> = AS_OWNER) =>
      post(operatorPaths.listOffers, body, headers);
    const emails = async (body: object) =>
      (await list(body)).offers.map(({ email }: { email: string }) => email);
    const all = await emails({});
    expect(all).toEqual([4, 3, 0, 1, 2].map((index) => `ghost${index}@example.com`));
    expect(await emails({ state: 'expired' })).toEqual([all[1], all[4]]);
    expect(await emails({ text: 'GHOST2@' })).toEqual([all[4]]);
    expect(await emails({ text: ids[1] })).toEqual([all[3]]);
    const [first, second] = (await list({})).offers;
    expect(await emails({ after: first.id })).toEqual(all.slice(1));
    expect(await emails({ after: second.id })).toEqual(all.slice(2));
    expect(await list({ after: 'x' })).toMatchObject({ status: 422 });

    const { key } = await post(operatorPaths.keys, { name: 'watcher', scopes: ['read'] });
    const asViewer = { authorization: `Bearer ${key}` };
    const [pass] = (await list({ state: 'accepted' })).offers;
    expect(pass.code).toMatch(/^\S{19}$/);
    const [seen] = (await list({ state: 'accepted' }, asViewer)).offers;
    expect(seen).toEqual({ ...pass, code: `…${pass.code.slice(-4)}` });

    const get = async (url: string) =>
      (await app.fastify.inject({ url, headers: AS_OWNER })).json();
    const facts = await get(operatorPaths.drop);
    expect(facts).toMatchObject({
      drop: { number: 1, state: 'offering' },
      members: 5,
      entrants: { entrants: 5, doubted: 0, with_wish: 0 },
      chosen: 3,
      following: 0,
      terms: { minutes: 720, quiet_from: null },
      is_quiet: false,
      others: 'untold',
    });
    const sums = facts.sizes.map((size: Record<string, number>) =>
      ['open', 'accepted', 'declined', 'expired'].map((state) => size[state] ?? 0),
    );
    const states = sums.reduce((sum: number[], size: number[]) =>
      sum.map((count, index) => count + (size[index] ?? 0)),
    );
    expect(states).toEqual([1, 1, 1, 2]);
    expect(await get(fillPath(operatorPaths.memberDrop, ids[0] ?? ''))).toMatchObject({
      wish: { sizes: [], takes_any: true },
      entrant: { drop: 1, position: 1, draw_order: 1 },
      offers: [{ state: 'accepted', code: pass.code }],
      rewards: [],
    });
  });

  step('change their size while masks of it are left', async () => {
    const offer = (await look(4)) as NonNullable<LookedAtOffer['offer']>;
    const [other = ''] = offer.free_sizes;
    expect(offer.free_sizes).not.toContain('Large');
    expect(await act(apiPaths.changeOffer, 4, { size: 'Large' })).toMatchObject({
      status: 409,
      detail: 'No mask of size Large is left.',
    });
    expect(await act(apiPaths.changeOffer, 4, { size: other })).toMatchObject({
      offer: { size: other, state: 'open' },
    });
  });

  step('become passes that one order redeems, or one of two scans at a door', async () => {
    const { key } = await post(operatorPaths.keys, { name: 'shop', scopes: ['redeem'] });
    const asShop = { authorization: `Bearer ${key}` };
    const { offer } = (await act(apiPaths.offer, 0)) as OwnOffer;
    const code = offer?.code ?? '';
    const redeem = (order: string) => post(operatorPaths.redeemPass, { code, order }, asShop);
    expect(await post(operatorPaths.changes, {}, asShop)).toMatchObject({ status: 403 });
    const [one, same] = await Promise.all([redeem('#1001'), redeem('#1001')]);
    expect(one).toMatchObject({ status: 200, order: '#1001', member_id: ids[0] });
    expect(same).toEqual(one);
    expect(await redeem('#1002')).toMatchObject({ status: 409 });
    expect((await post(operatorPaths.redeemPass, { code: 'no', order: '1' }, asShop)).status).toBe(
      404,
    );

    expect(await change('cancel-pass', { code, note: 'Why.' })).toMatchObject({ status: 201 });
    expect(await redeem('#1001')).toMatchObject({
      status: 409,
      detail: 'This pass was cancelled.',
    });
    expect(await change('reissue-pass', { code })).toMatchObject({ status: 201 });
    const renewed = (await act(apiPaths.offer, 0)) as OwnOffer;
    expect(renewed.offer).toMatchObject({ state: 'accepted', size: offer?.size });
    expect(renewed.offer?.code).not.toBe(code);
    expect(await redeem('#1001')).toMatchObject({ status: 409 });
    expect(await change('reissue-pass', { code })).toMatchObject({ status: 409 });
    await scanAtDoors(app, renewed.offer);
  });

  step('take the codes that operators import, each once, or wait for some', async () => {
    expect(await change('import-codes', { codes: ['A1', 'A1'] })).toMatchObject({ status: 422 });
    const imported = await change('import-codes', { codes: ['A1'], size: 'Large' });
    expect(imported).toMatchObject({ status: 201 });
    expect(await change('import-codes', { codes: ['A1', 'A2'] })).toMatchObject({
      status: 409,
      detail: 'These were imported or given before: A1.',
    });
    const none = await act(apiPaths.acceptOffer, 4);
    expect(none).toMatchObject({ status: 503 });
    expect(await look(4)).toMatchObject({ state: 'open' });
    await change('import-codes', { codes: ['A2'] });
    expect(await act(apiPaths.acceptOffer, 4)).toMatchObject({
      offer: { code: 'A2', state: 'accepted' },
    });
    const undo = fillPath(operatorPaths.undoChange, String(imported.change));
    expect((await post(undo, { reason: 'wrong list' })).status).toBe(201);
    expect(await figures()).toMatchObject({ codes_imported: 1, codes_free: 0 });
  });

  step('are followed by one mail to everybody else who was in line', async () => {
    const last = (await app.join('late@example.com')).id;
    const first = await app.database.kysely
      .deleteFrom('offer')
      .where('member_id', '=', ids[3] ?? '')
      .returning('id')
      .execute();
    expect(first).toHaveLength(1);
    expect(await change('tell-others')).toMatchObject({
      status: 201,
      summary: '1 member is told about drop 1.',
    });
    expect((await change('tell-others')).status).toBe(409);
    await app.database.kysely.updateTable('mask_drop').set({ state: 'closed' }).execute();
    await Promise.all([sweep(), sweep()]);
    await sweep();
    const told = async (mails: readonly string[]) =>
      mails.filter((mail) => mail.includes('No mask this time')).length;
    expect(await told(await mailsOf(3))).toBe(1);
    expect(await told(await mailsOf(0))).toBe(0);
    expect(await told(readKeptMail(app, last))).toBe(0);
    await app.database.kysely.updateTable('mask_drop').set({ state: 'offering' }).execute();
  });

  step('are not made in the quiet hours', async () => {
    await app.database.kysely
      .updateTable('mask_drop')
      .set({ quiet_from: '00:00', quiet_until: '23:59' })
      .execute();
    await app.database.kysely.deleteFrom('offer').execute();
    const now = new Date().toISOString().slice(11, 16);
    if (now !== '23:59') {
      await sweep();
      expect(await figures()).toMatchObject({ open: 0 });
    }
    await app.database.kysely
      .updateTable('mask_drop')
      .set({ quiet_from: null, quiet_until: null })
      .execute();
    await sweep();
    expect(await figures()).toMatchObject({ open: 3 });
    // A member who leaves frees the mask at once.
    await change('remove-members', { member_ids: [ids[0]] });
    await sweep();
    expect(await look(3)).toMatchObject({ state: 'open' });
    expect(await look(0)).toMatchObject({ state: 'expired' });
  });

  step('end at once when the drop is closed', async () => {
    await change('import-codes', { codes: ['A3'] });
    expect(await act(apiPaths.acceptOffer, 1)).toMatchObject({ status: 200 });
    const wanted = { kind: 'close-drop', input: {} };
    const { sentences } = await post(operatorPaths.previewChange, wanted);
    expect(sentences).toContain('2 offers are still open, and end at once. Passes stay valid.');
    expect(sentences).toContain('2 members are mailed that it ended.');
    expect(await look(3)).toMatchObject({ state: 'open' });
    expect(await change('close-drop')).toMatchObject({ status: 201 });
    expect(await look(3)).toMatchObject({ state: 'expired' });
    expect(await look(1)).toMatchObject({ state: 'accepted' });
    expect(await act(apiPaths.acceptOffer, 3)).toMatchObject({ status: 409 });
    await sweep();
    expect(await figures()).toMatchObject({ state: 'closed', open: 0, accepted: 1 });
    const told = async (index: number) =>
      (await mailsOf(index)).filter((mail) => mail.includes('Subject: The drop is over')).length;
    expect([await told(3), await told(1)]).toEqual([1, 0]);
  });
});
