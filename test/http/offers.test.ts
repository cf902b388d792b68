/** Offers of masks and the passes they become, through the calls and mails of members and shops. */
import { beforeAll, describe, expect } from 'vitest';
import type { LookedAtOffer } from '../../contract/drop/offer-views.ts';
import type { ListedOffer } from '../../contract/operator/drop/listed-offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import {
  apiPaths,
  fillPath,
  imagePaths,
  mailPagePaths,
  PASS_FORMATS,
} from '../../contract/paths.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { getPass } from '../../server/drop/views/drop-standing.ts';
import { passHours } from '../line/offer-steps.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { postForm, SECRET_KEY, tokenOf } from './mail-links.ts';
import { NOBODY, type ProvidedApp, provideApp } from './provide-app.ts';

const SHOP = 'https://shop.example.com/discount/';
const TERMS = { minutes: 720, time_zone: 'UTC' };

const redeemAt = (app: ProvidedApp) => (code: string, order: string) =>
  app.post(operatorPaths.redeemPass, { code, order });

describe.each(oneEngine)('offers on %s', (engine) => {
  const app = provideApp(engine, { shopUrl: SHOP });
  const { post, read, change, preview, mailsTo } = app;
  let ids: string[] = [];

  beforeAll(async () => {
    ids = await app.joinGhosts(5);
    await app.setStock({ Small: 2, Medium: 1, Large: 0 });
    await app.chooseByRank(3, 5);
  });

  const sweep = () => app.run('making offers');
  const figures = () => read(operatorPaths.offers);
  const look = async (index: number): Promise<LookedAtOffer['offer']> =>
    (await read(fillPath(apiPaths.offerOf, ids[index] ?? ''))).offer;
  const tokens = async (index: number) =>
    (await mailsTo(ids[index])).flatMap((mail) => /#offer=3D([\w-]+)/.exec(mail)?.[1] ?? []);
  const act = async (path: string, index: number, more = {}) =>
    post(path, { token: (await tokens(index)).at(-1) ?? '', ...more }, NOBODY);
  const countMails = async (index: number, words: string) =>
    (await mailsTo(ids[index])).filter((mail) => mail.includes(words)).length;
  const list = async (body: object = {}, headers?: typeof NOBODY): Promise<ListedOffer[]> =>
    (await post(operatorPaths.listOffers, body, headers)).offers;
  const keyFor = async (name: string, scope: string) => ({
    authorization: `Bearer ${(await post(operatorPaths.keys, { name, scopes: [scope] })).key}`,
  });

  const step = tellStory('goes through one step after the other');

  step('are made in the draw order, by mail, no more than there are masks', async () => {
    for (const [terms, detail] of [
      [{ quiet_from: '22:00' }, /need both a beginning and an end/],
      [{ quiet_from: '08:00', quiet_until: '08:00' }, /cannot end when they begin/],
      [{ time_zone: 'Mars' }, /must be one such as Europe/],
    ] as const)
      expect((await change('start-offers', { ...TERMS, ...terms })).detail).toMatch(detail);
    expect(await change('start-offers', TERMS)).toMatchObject({ status: 201, undo_until: null });
    expect(await look(0)).toBeNull();
    const another = await app.openAnother();
    await Promise.all([sweep(), app.run('making offers', another), sweep()]);
    await another.close();
    expect(await figures()).toMatchObject({ state: 'offering', open: 3, accepted: 0 });
    const states = await Promise.all(ids.map(async (_, index) => (await look(index))?.state));
    expect(states).toEqual(['open', 'open', 'open', undefined, undefined]);
    expect([(await tokens(0)).length, (await tokens(3)).length]).toEqual([1, 0]);
    expect((await read(apiPaths.stats)).available_masks).toBe(0);
    for (const offer_id of ['nope', ids[0]])
      expect(await change('extend-offers', { minutes: 60, offer_id })).toEqual({
        status: 409,
        detail: 'No open offer has begun that could be extended.',
      });
  });

  step('are accepted by the link of the mail, not by the member id, and once', async () => {
    expect(await post(apiPaths.acceptOffer, { token: ids[0] }, NOBODY)).toMatchObject({
      status: 403,
    });
    const [first, again] = await Promise.all([
      act(apiPaths.acceptOffer, 0),
      act(apiPaths.acceptOffer, 0),
    ]);
    const { code, shop_link } = first.offer;
    expect(first).toMatchObject({ status: 200, offer: { state: 'accepted' } });
    expect(code).toMatch(/^[2-9A-Z]{4}(-[2-9A-Z]{4}){3}$/);
    expect(shop_link).toBe(SHOP + code);
    expect(again.offer).toEqual(first.offer);
    expect(JSON.stringify(await look(0))).not.toContain(code);
    expect(await act(apiPaths.declineOffer, 0)).toEqual({
      status: 409,
      detail: 'You have accepted this offer.',
    });
    expect(await countMails(0, 'Subject: Your pass')).toBe(1);
    expect(await countMails(0, code)).toBe(0);
  });

  step('go to the next when they are declined or run out, with one reminder before', async () => {
    expect(await act(apiPaths.declineOffer, 1)).toMatchObject({ offer: { state: 'declined' } });
    await sweep();
    expect(await look(3)).toMatchObject({ state: 'open' });
    await mailsTo();
    await passHours(app.database, 11);
    await Promise.all([sweep(), sweep()]);
    expect(await countMails(2, 'We do not remind')).toBe(1);
    await passHours(app.database, 2);
    expect(await act(apiPaths.acceptOffer, 2)).toEqual({
      status: 409,
      detail: 'This offer has ended.',
    });
    await sweep();
    expect(await look(4)).toMatchObject({ state: 'open' });
    expect(await figures()).toMatchObject({ open: 1, accepted: 1, declined: 1, expired: 2 });
    const metrics = (await app.get('/metrics')).payload.split('\n');
    for (const line of ['waitlist_offers_open 1', 'waitlist_passes_given 1'])
      expect(metrics).toContain(line);
  });

  step('are listed by state and member, and counted by size', async () => {
    const emails = async (body: object) => (await list(body)).map(({ email }) => email);
    const all = await emails({});
    expect(all).toEqual([4, 3, 0, 1, 2].map((index) => `ghost${index}@example.com`));
    expect(await emails({ state: 'expired' })).toEqual([all[1], all[4]]);
    expect(await emails({ text: 'GHOST2@' })).toEqual([all[4]]);
    expect(await emails({ text: ids[1] })).toEqual([all[3]]);
    for (const [nth, { id }] of (await list()).slice(0, 2).entries())
      expect(await emails({ after: id })).toEqual(all.slice(nth + 1));
    expect(await post(operatorPaths.listOffers, { after: 'x' })).toMatchObject({ status: 422 });

    const [pass] = await list({ state: 'accepted' });
    expect(pass?.code).toMatch(/^\S{19}$/);
    const asViewer = await keyFor('watcher', 'read');
    expect(await list({ state: 'accepted' }, asViewer)).toEqual([
      { ...pass, code: `…${pass?.code?.slice(-4)}` },
    ]);
    const facts = await read(operatorPaths.drop);
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
    const sums = ['open', 'accepted', 'declined', 'expired'].map((state) =>
      facts.sizes.reduce(
        (sum: number, size: Record<string, number>) => sum + (size[state] ?? 0),
        0,
      ),
    );
    expect(sums).toEqual([1, 1, 1, 2]);
    expect(await read(fillPath(operatorPaths.memberDrop, ids[0] ?? ''))).toMatchObject({
      wish: { sizes: [], takes_any: true },
      entrant: { drop: 1, position: 1, draw_order: 1 },
      offers: [{ state: 'accepted', code: pass?.code }],
      rewards: [],
    });
  });

  step('change their size while masks of it are left', async () => {
    const [other = ''] = (await look(4))?.free_sizes ?? [];
    expect(await act(apiPaths.changeOffer, 4, { size: 'Large' })).toEqual({
      status: 409,
      detail: 'No mask of size Large is left.',
    });
    expect(await act(apiPaths.changeOffer, 4, { size: other })).toMatchObject({
      offer: { size: other, state: 'open' },
    });
  });

  step('become passes that one order redeems, are cancelled and reissued', async () => {
    const asShop = await keyFor('shop', 'redeem');
    const { offer } = await act(apiPaths.offer, 0);
    const { code } = offer;
    const redeem = (order: string, of = code) =>
      post(operatorPaths.redeemPass, { code: of, order }, asShop);
    expect(await post(operatorPaths.changes, {}, asShop)).toMatchObject({ status: 403 });
    const [one, same] = await Promise.all([redeem('#1001'), redeem('#1001')]);
    expect(one).toMatchObject({ status: 200, order: '#1001', member_id: ids[0] });
    expect(same).toEqual(one);
    expect(await redeem('#1002')).toMatchObject({ status: 409 });
    expect(await redeem('1', 'no')).toMatchObject({ status: 404 });
    expect(await change('cancel-pass', { code, note: 'Why.' })).toMatchObject({ status: 201 });
    const cancelled = { status: 409, detail: 'This pass was cancelled.' };
    expect(await redeem('#1001')).toEqual(cancelled);
    expect(await change('reissue-pass', { code })).toMatchObject({ status: 201 });
    const renewed = (await act(apiPaths.offer, 0)).offer;
    expect(renewed).toMatchObject({ state: 'accepted', size: offer.size });
    expect(renewed.code).not.toBe(code);
    expect(await redeem('#1001')).toEqual(cancelled);
    expect(await change('reissue-pass', { code })).toMatchObject({ status: 409 });
  });

  step('hand over one mask to whoever scans the pass first, at two doors', async () => {
    const { code, size } = (await act(apiPaths.offer, 0)).offer;
    const doors = { Vera: await keyFor('Vera', 'redeem'), Otto: await keyFor('Otto', 'redeem') };
    const second = await app.openAnother();
    type Door = keyof typeof doors;
    const scan = (by: Door, scanned: object) =>
      post(operatorPaths.scanPass, scanned, doors[by], by === 'Otto' ? second : app);
    const countUsed = async () =>
      (await app.ask('GET', operatorPaths.doorPasses, undefined, doors.Otto)).json();
    const summaries = async (): Promise<string[]> =>
      (await read(operatorPaths.changes)).entries.map((one: { summary: string }) => one.summary);

    expect(await countUsed()).toEqual({ passes: [{ drop: 1, all: 1, used: 0 }] });
    const [vera, otto] = await Promise.all([
      scan('Vera', { code, scan: 'Vera' }),
      scan('Otto', { code, scan: 'Otto' }),
    ]);
    const isVera = vera.result === 'given';
    const [winner, loser] = isVera ? [vera, otto] : [otto, vera];
    const [first, other]: Door[] = isVera ? ['Vera', 'Otto'] : ['Otto', 'Vera'];
    if (first === undefined || other === undefined) throw new Error('Nobody was first.');
    const holder = { size, drop: 1, position: 1, email: 'ghost0@example.com' };
    expect(winner).toMatchObject({ status: 200, result: 'given', ...holder, used_by: first });
    expect(loser).toEqual({ ...winner, result: 'used' });
    expect(await countUsed()).toEqual({ passes: [{ drop: 1, all: 1, used: 1 }] });

    // The answer to the winner was lost: the same scan asks again, and hands over no second mask.
    expect(await scan(first, { code, scan: first })).toEqual(winner);
    expect(await scan(other, { code, scan: 'later' })).toEqual(loser);
    const handed = (await summaries()).filter((summary) => summary.includes('at the door'));
    expect(handed).toEqual([`A mask of size ${size} was handed over at the door.`]);
    expect(await scan('Vera', { code: 'no', scan: 'x' })).toMatchObject({ status: 404 });
    const ordered = await redeemAt(app)(code, '#1');
    expect(ordered.detail).toBe('The mask of this pass was handed over at a door.');

    // A wrong tap is undone for a minute, and its repetition hands over nothing.
    const undo = (own: string) => post(operatorPaths.undoScan, { code, scan: own }, doors[first]);
    const results = async (...scans: Promise<{ result?: string }>[]) =>
      (await Promise.all(scans)).map(({ result }) => result);
    expect(await undo('nobody')).toMatchObject({ status: 200, result: 'used', used_by: first });
    expect(await results(undo(first))).toEqual(['undone']);
    expect(await results(undo(first))).toEqual(['undone']);
    expect((await summaries())[0]).toContain('was taken back at the door.');
    expect(await results(scan(first, { code, scan: first }))).toEqual(['undone']);
    // A scan that arrives after it was undone is undone, too.
    expect(await results(undo('under way'))).toEqual(['undone']);
    expect(await results(scan(first, { code, scan: 'under way' }))).toEqual(['undone']);
    expect(await scan(first, { code, scan: 'next', drop: 2 })).toMatchObject({
      result: 'other_drop',
      drop: 1,
      used_at: null,
    });
    expect(await results(scan(first, { code, scan: 'next', drop: 1 }))).toEqual(['given']);
    await app.sql(`update offer set handed_at = handed_at - interval '61 seconds'
      where code = '${code}'`);
    expect(await undo('next')).toMatchObject({ status: 409 });
    expect(await results(scan(first, { code, scan: 'next' }))).toEqual(['given']);
    await second.close();
  });

  step('take the codes that operators import, each once, or wait for some', async () => {
    const importCodes = (codes: string[], more = {}) => change('import-codes', { codes, ...more });
    expect(await importCodes(['A1', 'A1'])).toMatchObject({ status: 422 });
    const imported = await importCodes(['A1'], { size: 'Large' });
    expect(imported).toMatchObject({ status: 201 });
    expect(await importCodes(['A1', 'A2'])).toEqual({
      status: 409,
      detail: 'These were imported or given before: A1.',
    });
    expect(await act(apiPaths.acceptOffer, 4)).toMatchObject({ status: 503 });
    expect(await look(4)).toMatchObject({ state: 'open' });
    await importCodes(['A2']);
    expect(await act(apiPaths.acceptOffer, 4)).toMatchObject({
      offer: { code: 'A2', state: 'accepted' },
    });
    expect(await app.undo(imported.change)).toMatchObject({ status: 201 });
    expect(await figures()).toMatchObject({ codes_imported: 1, codes_free: 0 });
  });

  step('are followed by one mail to everybody else who was in line', async () => {
    const last = (await app.join('late@example.com')).id;
    expect(
      await app.sql(`delete from offer where member_id = '${ids[3]}' returning id`),
    ).toHaveLength(1);
    expect(await change('tell-others')).toMatchObject({
      status: 201,
      summary: '1 member is told about drop 1.',
    });
    expect(await change('tell-others')).toMatchObject({ status: 409 });
    await app.sql(`update mask_drop set state = 'closed'`);
    await Promise.all([sweep(), sweep()]);
    await sweep();
    const words = 'No mask this time';
    expect([await countMails(3, words), await countMails(0, words)]).toEqual([1, 0]);
    expect((await mailsTo(last)).join()).not.toContain(words);
    await app.sql(`update mask_drop set state = 'offering'`);
  });

  step('end at once when the drop is closed', async () => {
    await change('import-codes', { codes: ['A3'] });
    await app.sql('delete from offer');
    await sweep();
    expect(await act(apiPaths.acceptOffer, 1)).toMatchObject({ status: 200 });
    const { sentences } = await preview('close-drop');
    expect(sentences).toContain('2 offers are still open, and end at once. Passes stay valid.');
    expect(sentences).toContain('2 members are mailed that it ended.');
    expect(await look(2)).toMatchObject({ state: 'open' });
    expect(await change('close-drop')).toMatchObject({ status: 201 });
    expect([(await look(2))?.state, (await look(1))?.state]).toEqual(['expired', 'accepted']);
    expect(await act(apiPaths.acceptOffer, 2)).toMatchObject({ status: 409 });
    await sweep();
    expect(await figures()).toMatchObject({ state: 'closed', open: 0, accepted: 1 });
    const words = 'Subject: The drop is over';
    expect([await countMails(2, words), await countMails(1, words)]).toEqual([1, 0]);
  });
});

describe.each(oneEngine)('passes on %s', (engine) => {
  const app = provideApp(engine, { secretKey: SECRET_KEY });
  const { post, change, preview } = app;
  let ids: string[] = [];
  const idOf = (index: number) => ids[index] ?? '';

  beforeAll(async () => {
    ids = await app.joinGhosts(8);
    await app.setStock({ Small: 4, Medium: 1, Large: 0 });
    await app.chooseByRank(5, 8);
  });

  const redeem = redeemAt(app);
  const sweep = () => app.run('making offers');
  const getImage = (id: string, format: string) =>
    app.fastify.inject({ url: fillPath(imagePaths.passImage, id, format) });
  const list = async (body: object): Promise<ListedOffer[]> =>
    (await post(operatorPaths.listOffers, body)).offers;
  const passOf = async (index: number) => {
    const [live] = (await list({ text: idOf(index) })).filter(
      ({ state }) => state === 'accepted' || state === 'paid',
    );
    return { code: live?.code ?? '', size: live?.size ?? '' };
  };
  const codesOf = async (indexes: readonly number[]) =>
    Promise.all(indexes.map(async (index) => (await passOf(index)).code));
  const accept = (index: number) =>
    inTransaction(app.database, (one) => acceptOffer(one, idOf(index)));

  const step = tellStory('goes through one step after the other');

  step(
    'offers begin only once each size has a code for each mask, and say what is missing',
    async () => {
      const input = { codes: ['S1'], size: 'Small' };
      await change('import-codes', input);
      const missing = 'Codes of the shop are missing: 3 for Small, 1 for Medium';
      expect((await preview('start-offers', TERMS)).detail).toBe(
        `${missing}. Import or make them first.`,
      );
      await change('import-codes', { codes: ['A1'] });
      expect((await preview('start-offers', TERMS)).detail).toBe(
        `${missing}, of which 1 for any size are there. Import or make them first.`,
      );
      await change('make-codes', { count: 9, size: 'Small' });
      expect((await preview('start-offers', TERMS)).counts).toMatchObject({ masks: 5 });
      await change('import-codes', { codes: ['M1', 'M2', 'M3'], size: 'Medium' });
      await change('start-offers', TERMS);
      await sweep();
      for (const index of [0, 1, 2, 3, 4]) await accept(index);
    },
  );

  step('codes are swapped at once while the sweeper offers masks, or none is', async () => {
    const old = await codesOf([0, 1, 2]);
    const wrong = await change('swap-passes', { codes: [...old, 'NOPE'] });
    expect(wrong).toMatchObject({
      status: 404,
      detail: 'There is no pass with this code: NOPE.',
    });
    expect(await codesOf([0, 1, 2])).toEqual(old);
    const [made] = await Promise.all([
      change('swap-passes', { codes: old }),
      ...[1, 2, 3].map(sweep),
    ]);
    expect(made.summary).toBe('3 passes got another code.');
    await sweep();
    expect(await list({ text: idOf(5) })).toEqual([]);
    const fresh = await codesOf([0, 1, 2]);
    expect(new Set([...old, ...fresh]).size).toBe(6);
    for (const code of old)
      expect((await redeem(code, '#9')).detail).toBe('This pass was cancelled.');
    expect((await change('swap-passes', { codes: old })).detail).toContain(
      'is cancelled: nothing was changed.',
    );
    for (const index of [0, 1, 2])
      expect((await app.mailsTo(idOf(index))).join()).toContain('Subject: Your pass for one mask');
  });

  step('a pass changes its size while a mask of it is left', async () => {
    const { code, size } = await passOf(0);
    const other = size === 'Small' ? 'Medium' : 'Small';
    const swap = () => change('swap-passes', { codes: [code], size: other });
    expect((await swap()).detail).toBe(`No mask of size ${other} is left.`);
    const masks = other === 'Small' ? 5 : 2;
    await change('set-stock', { size: other, stock: masks });
    expect((await swap()).detail).toBe(`No mask of size ${other} is left.`);
    await change('amend-draw', { size: other, masks, public_reason: 'One more was found.' });
    expect((await swap()).summary).toBe(`1 pass got another code, for size ${other}.`);
    const changed = await passOf(0);
    expect(changed.size).toBe(other);
    expect((await redeem(code, '#9')).detail).toBe('This pass was cancelled.');
    await change('set-stock', { size, stock: size === 'Small' ? 3 : 0 });
  });

  step('only the page of who has a pass has its image, for nobody to cache', async () => {
    for (const format of PASS_FORMATS) {
      const image = await getImage(idOf(0), format);
      expect(image.statusCode).toBe(200);
      expect(image.headers).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
      });
      expect(image.headers['content-disposition']).toContain(`-pass-${format}.jpg"`);
    }
    expect((await getImage(idOf(0), 'wide')).statusCode).toBe(404);
    for (const id of [idOf(7), '00000000-0000-4000-8000-000000000000', 'nobody'])
      expect((await getImage(id, 'tall')).statusCode).toBe(404);
  });

  step('its number is the place in the draw, whatever was swapped or amended since', async () => {
    for (const index of [0, 1, 4])
      expect(await getPass(app.database, idOf(index))).toMatchObject({
        drop: 1,
        position: index + 1,
        edition: { number: index + 1, masks: 5 },
      });
  });

  step('one order pays one pass, also when it comes twice at once', async () => {
    const [first = '', second = '', third = ''] = await codesOf([0, 1, 2]);
    expect((await redeem(first, '#1')).status).toBe(200);
    expect(await redeem(second, '#1')).toMatchObject({
      status: 409,
      detail: 'This order has paid another pass: one order pays one pass.',
    });
    const twice = await Promise.all([redeem(second, '#2'), redeem(third, '#2')]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await change('swap-passes', { codes: [first] })).detail).toContain(
      'is paid: nothing was changed.',
    );
  });

  step('the member of a cancelled pass is mailed why', async () => {
    const { code } = await passOf(3);
    expect((await change('cancel-pass', { code })).status).toBe(422);
    const input = { code, note: 'Two of your orders share one address.' };
    expect((await preview('cancel-pass', input)).sentences).toContain(
      'The member is mailed why: Two of your orders share one address.',
    );
    await change('cancel-pass', input);
    const [mail] = (await app.mailsTo(idOf(3))).filter((text) => text.includes('The reason:'));
    expect(mail).toMatch(/Subject: Your pass for a mask in \w+ was cancelled/);
    expect(mail).toContain('The reason: Two of your orders share one address.');
    await sweep();
    expect(await list({ text: idOf(5) })).toMatchObject([{ state: 'open' }]);
  });

  step('a pass and an offer of somebody who leaves go to the next, as previews say', async () => {
    const { code } = await passOf(4);
    for (const [kind, input] of [
      ['remove-members', { member_ids: [idOf(4), idOf(5)] }],
      ['erase-member', { member: idOf(4) }],
    ] as const) {
      const { sentences, counts } = await preview(kind, input);
      expect(sentences).toContain(
        '1 pass for a mask is cancelled for good, and the next in the draw order is offered it.',
      );
      expect(counts).toMatchObject({ passes: 1, offers: kind === 'erase-member' ? 0 : 1 });
    }
    const link = fillPath(mailPagePaths.leave, tokenOf(idOf(4), 'preferences'));
    expect((await postForm(app, link)).statusCode).toBe(200);
    await sweep();
    expect((await redeem(code, '#7')).detail).toBe('This pass was cancelled.');
    expect(await list({ text: idOf(6) })).toMatchObject([{ state: 'open' }]);
    await accept(6);
    await change('close-drop');
    await change('erase-member', { member: idOf(6) });
    await sweep();
    expect(await list({ text: idOf(6) })).toMatchObject([{ state: 'cancelled' }]);
  });
});
