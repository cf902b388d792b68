/** A drop handed over to the shop: its files, and the codes in them. */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { OrderReport } from '../../contract/operator/drop/orders.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { openImportCalls } from './import-calls.ts';
import { provideApp } from './provide-app.ts';

/** A spreadsheet would run the second as a formula. */
const EMAILS = ['ada', '=1+1', 'grace', 'mary'].map((name) => `${name}@example.com`);

describe.each(oneEngine)('a drop handed over on %s', (engine) => {
  const app = provideApp(engine);
  const { post, get, change, undo, run } = app;
  const ids: string[] = [];
  beforeAll(async () => {
    for (const email of EMAILS) ids.push((await app.join(email)).id);
    await app.setStock({ Small: 2, Medium: 1, Large: 0 });
    const wish = { sizes: ['Medium', 'Small'], takes_any: false };
    await app.ask('PUT', fillPath(apiPaths.sizes, ids[0] ?? ''), wish);
    await confirmEverybody(app.database);
    await change('freeze-drop', { first: 4, domains: ['example.com'] });
  });

  const download = (file: string, query = '') =>
    get(fillPath(operatorPaths.exportDrop, file) + query);
  const read = async (file: string): Promise<Record<string, string>[]> => {
    const { body, statusCode } = await download(file);
    expect(statusCode).toBe(200);
    return parse(body, { columns: true });
  };
  const sweep = () => run('making offers');
  const accept = (index: number) =>
    inTransaction(app.database, (transaction) => acceptOffer(transaction, ids[index] ?? ''));
  const passes = async () => {
    const offers = await read('offers');
    return ids.map((id) => offers.find(({ member_id: own }) => own === id));
  };

  const step = tellStory('goes through one step after the other');

  step('the frozen list, and nobody chosen or offered anything yet', async () => {
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

  step('codes that are made here can be known to the shop before they are given', async () => {
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
    expect((await undo(made.change)).summary).toBe('2 codes of the shop were deleted again.');
    await change('make-codes', { count: 2, size: 'Small' });
    await change('make-codes', { count: 1 });
  });

  step('the chosen, every offer with its pass, and the customers of the shop', async () => {
    await change('announce-draw', { by_rank: 3, drawn_among: 0, source: 'none' });
    await change('select-entrants');
    expect((await read('chosen')).map(({ size, member_id }) => [size, member_id])).toEqual([
      ['Medium', ids[0]],
      ['Small', ids[1]],
      ['Small', ids[2]],
    ]);
    await change('start-offers', { minutes: 720, time_zone: 'UTC' });
    await sweep();
    for (const index of [0, 1]) await accept(index);
    const offers = await read('offers');
    expect(offers.map(({ state, size }) => [state, size])).toEqual([
      ['accepted', 'Medium'],
      ['accepted', 'Small'],
      ['open', 'Small'],
    ]);
    const code = offers[0]?.code ?? '';
    await post(operatorPaths.redeemPass, { code, order: '=#1001' });
    expect((await read('offers'))[0]).toMatchObject({ state: 'paid', order: "'=#1001", code });
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

  const { importOrders, exportOrders } = operatorPaths;
  type Path = typeof importOrders | typeof exportOrders;
  const ask = (path: Path, id: string, query = '') => get(fillPath(path, id) + query);
  const upload = (text: string) => openImportCalls(app).upload(text, { fileName: 'orders.csv' });
  const look = async (query = ''): Promise<OrderReport> =>
    (await ask(importOrders, file.id, query)).json();
  const header = 'Name,Email,Financial Status,Discount Code,Lineitem name,Cancelled at';
  let file: { id: string };

  step('orders are compared with the passes, row by row, and nothing is changed', async () => {
    await accept(2);
    const before = await passes();
    const codeOf = (index: number) => before[index]?.code ?? '';
    const rows = [
      `'=#1001,eve@example.com,paid,${codeOf(0)},Mask - Medium,`,
      `#1002,'=1+1+tag@example.com,paid,${codeOf(1).toLowerCase()},Mask - Small,`,
      "#1002,'=1+1+tag@example.com,,,T-shirt,",
      `#1003,grace@example.com,paid,${codeOf(2)},Mask - Small,2026-05-01 10:00:00 +0200`,
      '#1004,x@example.com,paid,NOPE,T-shirt,',
      '#1007,x@example.com',
    ];
    file = await upload([header, ...rows].join('\r\n'));
    const report = await look();
    expect(report).toMatchObject({
      drop: 1,
      counts: { matched: 1, to_redeem: 1, order_cancelled: 1, unknown_code: 1, unreadable: 1 },
      to_redeem: 1,
      to_free: 1,
      next: null,
    });
    expect(report.findings.map(({ line, kind, why }) => [line, kind, why])).toEqual([
      [2, 'matched', 'The address is not that of the member.'],
      [6, 'unknown_code', ''],
      [7, 'unreadable', 'It has 2 cells, and the first line has 6.'],
      [5, 'order_cancelled', ''],
    ]);
    expect((await look('?after=3')).findings).toHaveLength(1);
    const csv = (await ask(exportOrders, file.id)).body;
    const all: Record<string, string>[] = parse(csv, { columns: true, bom: true });
    expect(all).toHaveLength(5);
    expect(all[0]).toMatchObject({ order: "'=#1001", kind: 'matched', needs_look: 'true' });
    expect(await passes()).toEqual(before);
  });

  step('orders redeem their passes once, also when two operators say so at once', async () => {
    const input = { import_id: file.id };
    const { counts, sentences } = await app.preview('reconcile', input);
    expect(counts).toEqual({ passes: 1, redeemed: 1, cancelled: 0 });
    expect(sentences).toContain('1 pass of cancelled orders stay as they are.');
    expect((await change('reconcile', { ...input, expected: 0 })).status).toBe(409);
    const made = await Promise.all([change('reconcile', input), change('reconcile', input)]);
    expect(made.map(({ summary }) => summary.split(',')[0]).toSorted()).toEqual([
      '0 passes were marked as paid',
      '1 pass was marked as paid',
    ]);
    expect((await passes())[1]).toMatchObject({ state: 'paid', order: '#1002' });
    expect(await look()).toMatchObject({ counts: { matched: 2 }, to_redeem: 0 });
    expect((await passes())[2]).toMatchObject({ state: 'accepted' });
  });

  step('orders free the passes of cancelled ones only where that is said', async () => {
    const made = await change('reconcile', { import_id: file.id, free_cancelled: true });
    expect(made.summary).toContain('1 pass was cancelled');
    await sweep();
    expect((await passes()).slice(2)).toMatchObject([
      { state: 'cancelled' },
      { state: 'open', size: 'Small' },
    ]);
    expect(await look()).toMatchObject({ counts: { cancelled: 1 }, to_free: 0 });
  });

  step('a file of something else, or of no end, is refused', async () => {
    const list = await upload('email,code\nada@example.com,A\n');
    for (const path of [importOrders, exportOrders])
      expect((await ask(path, list.id)).json().detail).toContain('These are no orders');
    expect(await change('reconcile', { import_id: list.id })).toMatchObject({ status: 422 });
    const begun = await post(operatorPaths.imports, { file_name: 'a.csv', bytes: 9 });
    expect((await ask(importOrders, begun.id)).statusCode).toBe(409);
    expect((await ask(importOrders, ids[0] ?? '')).statusCode).toBe(404);
    expect(await look('?drop=2')).toEqual({ detail: 'There is no drop 2.' });
  });

  step('a member who has left stays in the lists by id, and is no customer', async () => {
    await change('remove-members', { member_ids: [ids[0]] });
    expect((await read('offers'))[0]).toMatchObject({ member_id: ids[0], email: '' });
    expect(await read('shopify-customers')).toHaveLength(1);
  });
});
