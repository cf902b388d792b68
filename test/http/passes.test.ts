/** Passes after they were given: other codes and sizes, orders, cancelled ones, and leavers. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { ListedOffer } from '../../contract/operator/drop/listed-offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath, imagePaths, mailPagePaths, PASS_FORMATS } from '../../contract/paths.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { getPass } from '../../server/drop/views/drop-standing.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { postForm, readKeptMail, SECRET_KEY, settleMail, tokenOf } from './mail-links.ts';
import { ownerCalls } from './owner-calls.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const TERMS = { minutes: 720, time_zone: 'UTC' };

describe.each(oneEngine)('passes on %s', (engine) => {
  let app: TestApp;
  const ids: string[] = [];
  const idOf = (index: number) => ids[index] ?? '';

  beforeAll(async () => {
    app = await openTestApp(engine, { secretKey: SECRET_KEY });
    for (let index = 0; index < 8; index++)
      ids.push((await app.join(`ghost${index}@example.com`)).id);
    for (const [size, stock] of Object.entries({ Small: 4, Medium: 1, Large: 0 }))
      await change('set-stock', { size, stock });
    await change('freeze-drop', { first: 8, domains: ['example.com'] });
    await change('announce-draw', { by_rank: 5, drawn_among: 0, source: 'none' });
    await change('select-entrants');
  });
  afterAll(() => app.remove());

  const { post, change, preview, run } = ownerCalls(() => app);
  const redeem = (code: string, order: string) => post(operatorPaths.redeemPass, { code, order });
  const sweep = () => run('making offers');
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
  const mailsTo = async (index: number) => {
    await settleMail(app);
    return readKeptMail(app, idOf(index));
  };

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
      for (const index of [0, 1, 2, 3, 4])
        await inTransaction(app.database, (one) => acceptOffer(one, idOf(index)));
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
      expect((await mailsTo(index)).join()).toContain('Subject: Your pass for one mask');
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
    const [mail] = (await mailsTo(3)).filter((text) => text.includes('The reason:'));
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
    await inTransaction(app.database, (one) => acceptOffer(one, idOf(6)));
    await change('close-drop');
    await change('erase-member', { member: idOf(6) });
    await sweep();
    expect(await list({ text: idOf(6) })).toMatchObject([{ state: 'cancelled' }]);
  });
});
