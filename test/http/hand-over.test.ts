/** A drop handed over to the shop: its files, and the codes in them. */
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { OrderReport } from '../../contract/operator/drop/orders.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { inTransaction } from '../../server/db/transaction.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { openImportCalls } from './import-calls.ts';
import { ownerCalls } from './owner-calls.ts';
import { openTestApp, type TestApp } from './test-app.ts';

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
      url: fillPath(apiPaths.sizes, ids[0] ?? ''),
      payload: { sizes: ['Medium', 'Small'], takes_any: false },
    });
    await change('freeze-drop', { first: 4, domains: ['example.com'] });
  });
  afterAll(() => app.remove());

  const { post, get, change, run } = ownerCalls(() => app);
  const download = (file: string, query = '') =>
    get(fillPath(operatorPaths.exportDrop, file) + query);
  const read = async (file: string, query = '') => {
    const { body, statusCode } = await download(file, query);
    expect(statusCode).toBe(200);
    return parse(body, { columns: true }) as Record<string, string>[];
  };
  const upload = (text: string) => openImportCalls(app).upload(text, { fileName: 'orders.csv' });
  const sweep = () => run('making offers');

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
    const undone = await post(fillPath(operatorPaths.undoChange, String(made.change)), {
      reason: 'too few',
    });
    expect(undone.summary).toBe('2 codes of the shop were deleted again.');
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

  function tellOfTheOrders(): void {
    const passes = async () =>
      Object.fromEntries((await read('offers')).map((offer) => [offer.member_id, offer]));
    const { importOrders, exportOrders } = operatorPaths;
    type Path = typeof importOrders | typeof exportOrders;
    const ask = async (path: Path, id: string, query = '') => get(fillPath(path, id) + query);
    const look = async (id: string, query = ''): Promise<OrderReport> =>
      (await ask(importOrders, id, query)).json();
    const header = 'Name,Email,Financial Status,Discount Code,Lineitem name,Cancelled at';
    let file: { id: string };

    step('are compared with the passes, row by row, and nothing is changed', async () => {
      await inTransaction(app.database, (transaction) => acceptOffer(transaction, ids[2] ?? ''));
      const before = await passes();
      const codeOf = (index: number) => before[ids[index] ?? '']?.code ?? '';
      const rows = [
        `'=#1001,eve@example.com,paid,${codeOf(0)},Mask - Medium,`,
        `#1002,'=1+1+tag@example.com,paid,${codeOf(1).toLowerCase()},Mask - Small,`,
        "#1002,'=1+1+tag@example.com,,,T-shirt,",
        `#1003,grace@example.com,paid,${codeOf(2)},Mask - Small,2026-05-01 10:00:00 +0200`,
        '#1004,x@example.com,paid,NOPE,T-shirt,',
        '#1005,x@example.com,paid,,Mask - Large,',
        `#1006,x@example.com,paid,${codeOf(0)},Mask - Medium,`,
        '#1007,x@example.com',
        ',x@example.com,paid,,T-shirt,',
      ];
      file = await upload([header, ...rows].join('\r\n'));
      const report = await look(file.id);
      expect(report).toMatchObject({
        drop: 1,
        counts: {
          matched: 1,
          to_redeem: 1,
          order_cancelled: 1,
          unknown_code: 1,
          without_pass: 1,
          code_used_twice: 1,
          unreadable: 2,
        },
        to_redeem: 1,
        to_free: 1,
        next: null,
      });
      expect(report.findings.map(({ line, kind, why }) => [line, kind, why])).toEqual([
        [2, 'matched', 'The address is not that of the member.'],
        [6, 'unknown_code', ''],
        [7, 'without_pass', 'It is of a mask.'],
        [8, 'code_used_twice', 'Order =#1001 has the pass.'],
        [9, 'unreadable', 'It has 2 cells, and the first line has 6.'],
        [10, 'unreadable', 'It names no order.'],
        [5, 'order_cancelled', ''],
      ]);
      expect((await look(file.id, '?after=6')).findings).toHaveLength(1);
      const csv = (await ask(exportOrders, file.id)).body;
      const all = parse(csv, { columns: true, bom: true }) as Record<string, string>[];
      expect(all).toHaveLength(8);
      expect(all[0]).toMatchObject({ order: "'=#1001", kind: 'matched', needs_look: 'true' });
      expect(await passes()).toEqual(before);
    });

    step('redeem their passes once, also when two operators say so at once', async () => {
      const input = { import_id: file.id };
      const { counts, sentences } = await post(operatorPaths.previewChange, {
        kind: 'reconcile',
        input,
      });
      expect(counts).toEqual({ passes: 1, redeemed: 1, cancelled: 0 });
      expect(sentences).toContain('1 pass of cancelled orders stay as they are.');
      expect((await change('reconcile', { ...input, expected: 0 })).status).toBe(409);
      const made = await Promise.all([change('reconcile', input), change('reconcile', input)]);
      expect(made.map(({ summary }) => summary.split(',')[0]).toSorted()).toEqual([
        '0 passes were marked as paid',
        '1 pass was marked as paid',
      ]);
      expect((await passes())[ids[1] ?? '']).toMatchObject({ state: 'paid', order: '#1002' });
      expect(await look(file.id)).toMatchObject({ counts: { matched: 2 }, to_redeem: 0 });
      expect((await passes())[ids[2] ?? '']).toMatchObject({ state: 'accepted' });
    });

    step('free the passes of cancelled ones only where that is said', async () => {
      const made = await change('reconcile', { import_id: file.id, free_cancelled: true });
      expect(made.summary).toContain('1 pass was cancelled');
      expect((await passes())[ids[2] ?? '']).toMatchObject({ state: 'cancelled' });
      await sweep();
      expect((await passes())[ids[3] ?? '']).toMatchObject({ state: 'open', size: 'Small' });
      expect(await look(file.id)).toMatchObject({ counts: { cancelled: 1 }, to_free: 0 });
    });

    step('are refused in a file of something else, or of no end', async () => {
      const list = await upload('email,code\nada@example.com,A\n');
      for (const path of [operatorPaths.importOrders, operatorPaths.exportOrders])
        expect((await ask(path, list.id)).json().detail).toContain('These are no orders');
      expect((await change('reconcile', { import_id: list.id })).status).toBe(422);
      const begun = await post(operatorPaths.imports, { file_name: 'a.csv', bytes: 9 });
      expect((await ask(importOrders, begun.id)).statusCode).toBe(409);
      expect((await ask(importOrders, ids[0] ?? '')).statusCode).toBe(404);
      const wrongDrop = await ask(importOrders, file.id, '?drop=2');
      expect(wrongDrop.json().detail).toBe('There is no drop 2.');
    });
  }
  tellOfTheOrders();

  step('a member who has left stays in the lists by id, and is no customer', async () => {
    await change('remove-members', { member_ids: [ids[0]] });
    expect((await read('offers'))[0]).toMatchObject({ member_id: ids[0], email: '' });
    expect(await read('shopify-customers')).toHaveLength(1);
  });
});
