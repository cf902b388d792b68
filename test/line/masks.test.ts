import { describe, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import type { Applied } from '../../server/changes/operation.ts';
import { inTransaction, type Transaction } from '../../server/db/transaction.ts';
import {
  allocateMasksOperation,
  renameSize as changeName,
  setStock as changeStock,
  openRemoveSize,
  prepareSizes,
  releaseMasksOperation,
} from '../../server/drop/stock/stock.ts';
import * as store from '../../server/drop/stock/store.ts';
import { listSizes } from '../../server/drop/stock/store.ts';
import { getStats } from '../../server/visitors/get-stats.ts';
import { oneEngine } from '../support/engines.ts';
import { provideLine } from '../support/provide-line.ts';

const brand = {
  ...ownBrand,
  sizes: [
    { name: 'Small', stock: 33 },
    { name: 'Medium', stock: 34 },
    { name: 'Large', stock: 33 },
  ],
  maskCount: 100,
};

type Changing<Input> = {
  apply(transaction: Transaction, input: Input, read: never): Promise<Applied>;
};

const FREE = { allocated: 0, offered: 0, accepted: 0, held: 0 };

describe.each(oneEngine)('masks on the %s engine', (engine) => {
  const place = provideLine(engine, { brand });

  /** Runs an operation in a transaction of its own. */
  const alone =
    <Input, Result>(operation: (transaction: Transaction, input: Input) => Promise<Result>) =>
    (input: Input) =>
      inTransaction(place.database, (transaction) => operation(transaction, input));
  const change = <Input>({ apply }: Changing<Input>) =>
    alone(async (transaction, input: Input) => await apply(transaction, input, undefined as never));
  const allocateMasks = change(allocateMasksOperation);
  const releaseMasks = change(releaseMasksOperation);
  const renameSize = alone(changeName);
  const removeSize = (size: string, shown: readonly string[]) => {
    const sizes = shown.map((name) => ({ name, stock: 1 }));
    return change(openRemoveSize({ ...brand, sizes }))({ size });
  };
  const listAllocations = () => store.listAllocations(place.database);
  const available = async () => (await getStats(place.database, brand)).available_masks;
  const allocate = (quantity: number, size = 'Small') =>
    allocateMasks({ size, quantity, note: 'for the press' });

  const setStock = (size: string, stock: number) =>
    inTransaction(place.database, async (transaction) => {
      const { maskCount } = brand;
      return (await changeStock(transaction, { size, stock, maskCount })).after;
    });
  /** A start with these sizes in the brand file, and what it warns of. */
  const startWith = (...sizes: [name: string, stock: number][]) =>
    prepareSizes(place.database, {
      ...brand,
      sizes: sizes.map(([name, stock]) => ({ name, stock })),
      maskCount: sizes.reduce((sum, [, stock]) => sum + stock, 0),
    });
  const stocks = async () =>
    (await listSizes(place.database)).map(({ name, stock }) => [name, stock]);

  test('start with the stock of the brand file, in its order', async () => {
    expect(await listSizes(place.database)).toEqual([
      { ...FREE, name: 'Small', stock: 33, available: 33 },
      { ...FREE, name: 'Medium', stock: 34, available: 34 },
      { ...FREE, name: 'Large', stock: 33, available: 33 },
    ]);
    expect(await available()).toBe(100);
  });

  test('keep the stock the operator set, and gain a size that the brand file adds', async () => {
    await setStock('Small', 5);
    await prepareSizes(place.database, {
      ...brand,
      sizes: [...brand.sizes, { name: 'Tiny', stock: 1 }],
    });
    expect((await listSizes(place.database)).map(({ name, stock }) => [name, stock])).toEqual([
      ['Small', 5],
      ['Medium', 34],
      ['Large', 33],
      ['Tiny', 1],
    ]);
  });

  test('are not allocated beyond what is available of the size', async () => {
    await allocate(30);
    await expect(allocate(4)).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('Only 3 '),
    });
    await allocate(3);
    expect(await available()).toBe(67);
  });

  test('are not allocated twice by operators at the same time', async () => {
    const settled = await Promise.allSettled(Array.from({ length: 20 }, () => allocate(5)));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect((await listSizes(place.database))[0]).toMatchObject({ allocated: 30, available: 3 });
  });

  test('cannot have less stock than is allocated', async () => {
    await allocate(10);
    await expect(setStock('Small', 9)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await setStock('Small', 10)).toMatchObject({
      stock: 10,
      available: 0,
    });
  });

  test('are never more than the site promises, whatever operators set at once', async () => {
    await setStock('Small', 23);
    const attempts = ['Medium', 'Large'].flatMap((size) =>
      [40, 41, 42, 43, 44].map((stock) => setStock(size, stock)),
    );
    const settled = await Promise.allSettled(attempts);
    const refused = settled.filter((one) => one.status === 'rejected');
    // Whichever size rises first leaves nothing for the other.
    expect(refused).toHaveLength(5);
    for (const { reason } of refused)
      expect(reason).toMatchObject({
        code: 'conflict',
        detail: expect.stringMatching(
          /^The site says that there are 100 masks, .*brand\.ts first\.$/,
        ),
      });
    expect(await available()).toBeLessThanOrEqual(100);
    const sum = (await stocks()).reduce((total, [, stock]) => total + Number(stock), 0);
    expect(sum).toBe(await available());
  });

  test('count as far as the site promises when its number falls below the stock', async () => {
    await allocate(3);
    const sixty = { ...brand, maskCount: 60 };
    expect((await getStats(place.database, sixty)).available_masks).toBe(57);
    await setStock('Large', 13);
    await setStock('Medium', 4);
    expect((await getStats(place.database, sixty)).available_masks).toBe(47);
  });

  test('of a renamed size stay one size, and the start names the command', async () => {
    await allocate(2);
    expect(await startWith(['S', 33], ['Medium', 34], ['Large', 33])).toBe(
      'The line differs from brand/brand.ts: it has the size Small and not S ' +
        '(./waitlist rename-size Small S).',
    );
    expect(await available()).toBe(98);
    expect(await stocks()).toEqual([
      ['Small', 33],
      ['Medium', 34],
      ['Large', 33],
    ]);
    expect(await renameSize({ size: 'Small', to: 'S' })).toEqual({
      name: 'S',
      stock: 33,
      allocated: 2,
      offered: 0,
      accepted: 0,
      held: 0,
      available: 31,
    });
    expect(await listAllocations()).toMatchObject([{ size: 'S', quantity: 2 }]);
    expect(await startWith(['S', 33], ['Medium', 34], ['Large', 33])).toBeNull();
    expect(await available()).toBe(98);
  });

  test('of sizes that the brand file adds, drops and restocks differ in one sentence', async () => {
    expect(await startWith(['Extra small', 10], ['Medium', 34], ['Large', 30])).toBe(
      'The line differs from brand/brand.ts: it has the size Small and not Extra small ' +
        "(./waitlist rename-size Small 'Extra small'); " +
        "of Extra small it has 33 and brand.ts 10 (./waitlist stock 'Extra small' 10); " +
        'of Large it has 33 and brand.ts 30 (./waitlist stock Large 30).',
    );
    expect(await startWith(['Medium', 50], ['Large', 50])).toMatch(
      /it has the size Small, which brand\.ts does not \(\.\/waitlist remove-size Small\)/,
    );
  });

  test('gain no stock beyond the promise by a size that the brand file adds', async () => {
    const sizes: [string, number][] = [
      ['Tiny', 25],
      ['Small', 25],
      ['Medium', 25],
      ['Large', 25],
    ];
    const warning = await startWith(...sizes);
    expect(await stocks()).toEqual([
      ['Tiny', 0],
      ['Small', 33],
      ['Medium', 34],
      ['Large', 33],
    ]);
    const commands = Array.from(warning?.matchAll(/waitlist stock (\w+) (\d+)/g) ?? []);
    expect(commands.map(([, size]) => size)).toEqual(['Medium', 'Small', 'Large', 'Tiny']);
    for (const [, size = '', stock] of commands) await setStock(size, Number(stock));
    expect(await startWith(...sizes)).toBeNull();
    expect(await available()).toBe(100);
  });

  test('of a size go with it, once the site shows it no more and none is allocated', async () => {
    const remove = (shown: string[]) => removeSize('Small', shown);
    const id = (await allocate(2)).subject?.id ?? '';
    await expect(remove(['Medium'])).rejects.toMatchObject({
      code: 'conflict',
      detail: '2 of size Small are allocated: release them first.',
    });
    await releaseMasks({ allocation_id: id, note: 'back' });
    await expect(remove(['Small'])).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('The site shows the size Small'),
    });
    expect(await remove(['Medium'])).toMatchObject({ undo: { name: 'Small', stock: 33 } });
    expect(await available()).toBe(67);
    expect(await listAllocations()).toMatchObject([{ size: 'Small', quantity: 2 }]);
    await expect(allocate(1)).rejects.toMatchObject({
      code: 'invalid_field',
      detail: 'There is no size "Small".',
    });
  });

  test('are neither lost nor sold twice when their size changes meanwhile', async () => {
    const names = ['Small', 'S', 'Klein'];
    const renames = names.map((to, index) =>
      renameSize({ size: names[(index + 2) % 3] ?? '', to }),
    );
    const allocations = Array.from({ length: 12 }, (_, index) =>
      allocate(4, names[index % 3] ?? ''),
    );
    const removal = removeSize('Small', []);
    const settled = await Promise.allSettled([...allocations, ...renames, removal]);
    const made = settled.slice(0, 12).filter(({ status }) => status === 'fulfilled').length;
    const kept = (await listSizes(place.database)).filter(({ name }) => names.includes(name));
    const recorded = await listAllocations();
    expect(recorded).toHaveLength(made);
    if (settled.at(-1)?.status === 'fulfilled') expect([made, kept]).toEqual([0, []]);
    else expect(kept).toMatchObject([{ stock: 33, allocated: 4 * made }]);
    for (const { size } of recorded) expect(size).toBe(kept[0]?.name);
  });

  test('keep the name of their size when the new one is taken or empty', async () => {
    const rename = (to: string) => renameSize({ size: 'Small', to });
    await expect(rename('large')).rejects.toMatchObject({
      code: 'conflict',
      detail: 'There is a size Large already.',
    });
    await expect(rename(' ')).rejects.toMatchObject({ code: 'invalid_field' });
    expect(await rename('SMALL')).toMatchObject({ name: 'SMALL', stock: 33 });
  });

  test('refuse what makes no sense, and change nothing', async () => {
    const release = (allocation_id: string) => releaseMasks({ allocation_id, note: '' });
    const attempts: Readonly<Record<string, [() => Promise<unknown>, code: string]>> = {
      'an unknown size': [() => allocate(1, 'Huge'), 'invalid_field'],
      'the stock of an unknown size': [() => setStock('Huge', 1), 'invalid_field'],
      'a release of nonsense': [() => release('x'), 'conflict'],
      'a release of masks that are not allocated': [() => release(crypto.randomUUID()), 'conflict'],
    };
    for (const [what, [attempt, code]] of Object.entries(attempts)) {
      await expect(attempt(), what).rejects.toMatchObject({ code });
      expect(await available(), what).toBe(100);
    }
  });
});
