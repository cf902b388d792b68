import { expect, test } from 'vitest';
import { openKeyedLimit } from './keyed-limit.ts';

/** Work that ends on demand, and counts what is under way. */
function openWork() {
  const underWay: string[] = [];
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async () => {
    underWay.push(name);
    begun.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    underWay.splice(underWay.indexOf(name), 1);
    return name;
  };
  return { underWay, begun, work, end: (name: string) => ends.get(name)?.() };
}

/** Two slots of the event loop. */
async function untilIdle(): Promise<void> {
  for (let slot = 0; slot < 2; slot++) await new Promise((resolve) => setImmediate(resolve));
}

test('the event loop slots between pieces of work that do not wait themselves', async () => {
  const slots = openKeyedLimit({ maxAtOnce: 1, maxWaiting: 9 });
  const order: string[] = [];
  const done = ['a', 'b', 'c'].map((key) => slots.take(key, async () => order.push(key)));
  setImmediate(() => order.push('something else'));
  await Promise.all(done);
  expect(order).toEqual(['a', 'something else', 'b', 'c']);
});

test('one piece of work of a key and a few in all are under way', async () => {
  const slots = openKeyedLimit({ maxAtOnce: 2, maxWaiting: 9 });
  const { underWay, work, end } = openWork();
  const done = [
    slots.take('a', work('a0')),
    slots.take('a', work('a1')),
    slots.take('b', work('b0')),
    slots.take('c', work('c0')),
  ];
  await untilIdle();
  expect(underWay).toEqual(['a0', 'b0']);
  end('a0');
  await untilIdle();
  expect(underWay).toEqual(['b0', 'a1']);
  end('a1');
  end('b0');
  await untilIdle();
  end('c0');
  expect(await Promise.all(done)).toEqual(['a0', 'a1', 'b0', 'c0']);
});

test('work that has begun goes on before other work of its key, and is not refused', async () => {
  const slots = openKeyedLimit({ maxAtOnce: 1, maxWaiting: 1 });
  const { begun, work, end } = openWork();
  const first = slots.take('a', work('a0')).then(() => slots.resume('a', work('a0 again')));
  const second = slots.take('a', work('a1'));
  for (const name of ['a0', 'a0 again', 'a1']) {
    await untilIdle();
    end(name);
  }
  expect(await Promise.all([first, second])).toEqual(['a0 again', 'a1']);
  expect(begun).toEqual(['a0', 'a0 again', 'a1']);
});

test('work that fails ends its slot', async () => {
  const slots = openKeyedLimit({ maxAtOnce: 1, maxWaiting: 1 });
  await expect(slots.take('a', () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(await slots.take('a', async () => 'next')).toBe('next');
});

test('too many of one key are refused at once, and one of another key is not', async () => {
  const slots = openKeyedLimit({ maxAtOnce: 1, maxWaiting: 4 });
  const { begun, work, end } = openWork();
  const own = Array.from({ length: 6 }, (_, index) => slots.take('a', work(`a${index}`)));
  const refusal = { code: 'too_busy', retryAfterSeconds: 2 };
  await expect(own[5]).rejects.toMatchObject(refusal);
  const other = slots.take('b', work('b0'));
  await expect(own[4]).rejects.toMatchObject(refusal);
  for (const name of ['a0', 'a1', 'b0']) {
    await untilIdle();
    end(name);
  }
  expect(await other).toBe('b0');
  expect(begun.slice(0, 3)).toEqual(['a0', 'a1', 'b0']);
});
