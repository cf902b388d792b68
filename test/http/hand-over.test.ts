/** A drop handed over to the shop: its files, and the codes in them. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { oneEngine } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };
/** A spreadsheet would run the second as a formula. */
const EMAILS = ['ada', '=1+1', 'grace', 'mary'].map((name) => `${name}@example.com`);

describe.each(oneEngine)('a drop handed over on %s', (engine) => {
  let app: TestApp;
  const ids: string[] = [];

  beforeAll(async () => {
    app = await openTestApp(engine);
    for (const email of EMAILS) ids.push((await app.join(email)).id);
    for (const [size, stock] of Object.entries({ Small: 2, Medium: 1, Large: 0 }))
      await change('set-stock', { size, stock });
    await app.fastify.inject({
      method: 'PUT',
      url: apiPaths.sizes(ids[0] ?? ''),
      payload: { sizes: ['Medium', 'Small'], takes_any: false },
    });
    await change('freeze-drop', { first: 4 });
  });
  afterAll(() => app.remove());

  const post = async (url: string, payload: object) => {
    const answer = await app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
    return { status: answer.statusCode, ...answer.json() };
  };
  const change = (kind: string, input: object = {}) =>
    post(operatorPaths.changes, { kind, input, reason: 'launch day' });
  const download = (file: string, query = '') =>
    app.fastify.inject({
      url: fillPath(operatorPaths.exportDrop, file) + query,
      headers: HEADERS,
    });
  const read = async (file: string, query = '') => {
    const { body, statusCode } = await download(file, query);
    expect(statusCode).toBe(200);
    return parse(body, { columns: true }) as Record<string, string>[];
  };
  const sweep = () => app.scheduledWork.find(({ name }) => name === 'making offers')?.run();

  test('the frozen list, and nobody chosen or offered anything yet', async () => {
    const frozen = await read('frozen');
    expect(frozen.map(({ position, email }) => [position, email])).toEqual(
      EMAILS.map((email, index) => [String(index + 1), email.replace(/^=/, "'=")]),
    );
    expect(frozen[0]).toMatchObject({ sizes: 'Medium; Small', takes_any: 'false', points: '0' });
    for (const file of ['chosen', 'offers', 'shopify-customers', 'shopify-codes'])
      expect(await read(file)).toEqual([]);
    expect((await download('frozen', '?drop=2')).json().detail).toBe('There is no drop 2.');
    expect((await download('passwords')).statusCode).toBe(422);
  });

  test('codes that are made here can be known to the shop before they are given', async () => {
    const made = await change('make-codes', { count: 2, size: 'Small' });
    expect(made.summary).toBe('2 codes for size Small were made.');
    await change('make-codes', { count: 1, size: 'Medium' });
    const codes = await read('shopify-codes');
    expect(codes.map(({ Title }) => Title)).toEqual([
      `${brand.name} drop 1: Medium`,
      `${brand.name} drop 1: Small`,
      `${brand.name} drop 1: Small`,
    ]);
    expect(new Set(codes.map(({ Code }) => Code)).size).toBe(3);
    const undone = await post(fillPath(operatorPaths.undoChange, String(made.change)), {
      reason: 'too few',
    });
    expect(undone.summary).toBe('2 codes of the shop were deleted again.');
    await change('make-codes', { count: 2, size: 'Small' });
    await change('make-codes', { count: 1 });
  });

  test('the chosen, every offer with its pass, and the customers of the shop', async () => {
    await change('announce-draw', { by_rank: 3, drawn_among: 0, source: 'none' });
    await change('select-entrants');
    expect((await read('chosen')).map(({ size, member_id }) => [size, member_id])).toEqual([
      ['Medium', ids[0]],
      ['Small', ids[1]],
      ['Small', ids[2]],
    ]);
    await change('start-offers', { minutes: 720, time_zone: 'UTC' });
    await sweep();
    for (const index of [0, 1])
      await inTransaction(app.database, (transaction) =>
        acceptOffer(transaction, ids[index] ?? ''),
      );
    const offers = await read('offers');
    expect(offers.map(({ state, size }) => [state, size])).toEqual([
      ['accepted', 'Medium'],
      ['accepted', 'Small'],
      ['open', 'Small'],
    ]);
    const code = offers[0]?.code ?? '';
    await post(operatorPaths.redeemPass, { code, order: '=#1001' });
    expect((await read('offers'))[0]).toMatchObject({ state: 'redeemed', order: "'=#1001", code });
    const customers = await read('shopify-customers');
    expect(customers.map(({ Email, Tags }) => [Email, Tags])).toEqual([
      ['ada@example.com', `${brand.name} drop 1, Medium`],
      ["'=1+1@example.com", `${brand.name} drop 1, Small`],
    ]);
    // The pass that was used is none that the shop needs any more.
    const codes = (await read('shopify-codes')).map(({ Code }) => Code);
    expect(codes).toContain(offers[1]?.code);
    expect(codes).not.toContain(code);
  });

  test('a member who has left stays in the lists by id, and is no customer', async () => {
    await change('remove-members', { member_ids: [ids[0]] });
    expect((await read('offers'))[0]).toMatchObject({ member_id: ids[0], email: '' });
    expect(await read('shopify-customers')).toHaveLength(1);
  });
});
