import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import { allocateMasks, listAllocations, releaseMasks } from '../../server/drop/allocations.ts';
import { listSizes, setStock } from '../../server/drop/stock.ts';
import { getStats } from '../../server/line/get-stats.ts';
import { prepareLine } from '../../server/line/prepare-line.ts';
import { engines, openTestDatabase, type TestDatabase } from '../support/engines.ts';

const brand = {
  ...ownBrand,
  sizes: [
    { name: 'Small', stock: 33 },
    { name: 'Medium', stock: 34 },
    { name: 'Large', stock: 33 },
  ],
};

describe.each(engines)('masks on the %s engine', (engine) => {
  let place: TestDatabase;

  beforeEach(async () => {
    place = await openTestDatabase(engine);
    await prepareLine(place.database, brand);
  });

  afterEach(() => place.close());

  const available = async () => (await getStats(place.database)).available_masks;
  const allocate = (quantity: number, size = 'Small') =>
    allocateMasks(place.database, { size, quantity, note: 'for the press' });

  test('start with the stock of the brand file, in its order', async () => {
    expect(await listSizes(place.database)).toEqual([
      { name: 'Small', stock: 33, allocated: 0, available: 33 },
      { name: 'Medium', stock: 34, allocated: 0, available: 34 },
      { name: 'Large', stock: 33, allocated: 0, available: 33 },
    ]);
    expect(await available()).toBe(100);
  });

  test('keep the stock that the operator set over a restart, and gain a size that the brand file adds', async () => {
    await setStock(place.database, { size: 'Small', stock: 5 });
    await prepareLine(place.database, {
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

  test('that are allocated are not available until they are released', async () => {
    const allocation = await allocate(3);
    expect(await available()).toBe(97);
    const released = await releaseMasks(place.database, {
      allocationId: allocation.id,
      note: 'not needed',
    });
    expect(released).toMatchObject({
      size: 'Small',
      quantity: 3,
      note: 'for the press',
      releaseNote: 'not needed',
    });
    expect(await available()).toBe(100);
    expect(await listAllocations(place.database)).toEqual([released]);
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
    await expect(setStock(place.database, { size: 'Small', stock: 9 })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await setStock(place.database, { size: 'Small', stock: 10 })).toMatchObject({
      stock: 10,
      available: 0,
    });
  });

  test.each([
    ['an unknown size', () => allocate(1, 'Huge'), 'invalid_field'],
    ['no masks', () => allocate(0), 'invalid_field'],
    ['half a mask', () => allocate(0.5), 'invalid_field'],
    [
      'a stock below nothing',
      () => setStock(place.database, { size: 'Small', stock: -1 }),
      'invalid_field',
    ],
    [
      'the stock of an unknown size',
      () => setStock(place.database, { size: 'Huge', stock: 1 }),
      'invalid_field',
    ],
    [
      'a release of nonsense',
      () => releaseMasks(place.database, { allocationId: 'x', note: '' }),
      'conflict',
    ],
    [
      'a release of what is not allocated',
      () => releaseMasks(place.database, { allocationId: crypto.randomUUID(), note: '' }),
      'conflict',
    ],
  ])('refuse %s', async (_what, attempt, code) => {
    await expect(attempt()).rejects.toMatchObject({ code });
    expect(await available()).toBe(100);
  });

  test('are released once', async () => {
    const { id } = await allocate(1);
    await releaseMasks(place.database, { allocationId: id, note: 'back' });
    const again = releaseMasks(place.database, { allocationId: id, note: 'back' });
    await expect(again).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('no unreleased allocation'),
    });
  });
});
