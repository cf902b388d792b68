import { expect, test } from 'vitest';
import { openJoinMemory, type RememberedJoin } from './join-memory.ts';

const blank: RememberedJoin = {
  code: 0,
  mailbox: 0,
  narrow: 0,
  wide: 0,
  hints: 0,
  stem: 0,
  flags: 0,
};

function openSmall() {
  const memory = openJoinMemory(64);
  const add = (some: Partial<RememberedJoin>) => memory.add({ ...blank, ...some });
  const walk = (chain: 'code' | 'narrow', value: number) => {
    const joins: number[] = [];
    memory.walk(chain, value, 100, (join) => joins.push(join));
    return joins;
  };
  return { memory, add, walk };
}

test('joins with one code are found, the newest first, among others in the same slot', () => {
  const { add, walk } = openSmall();
  const [first, , second] = [add({ code: 7 }), add({ code: 7 + 16 }), add({ code: 7 })];
  expect(walk('code', 7)).toEqual([second, first]);
  expect(walk('code', 8)).toEqual([]);
});

test('the newest join replaces the oldest', () => {
  const { memory, add, walk } = openSmall();
  for (let join = 0; join < 200; join += 1) add({ narrow: 5, hints: 3 });
  expect(walk('narrow', 5)).toEqual(Array.from({ length: 64 }, (_, index) => 199 - index));
  expect(memory.totals).toMatchObject({ joins: 64, hinted: 64 });
  expect(memory.countHints(3)).toBe(64);
});

test('a join that did not happen is not found and not counted', () => {
  const { memory, add, walk } = openSmall();
  const join = add({ code: 7, hints: 9 });
  add({});
  memory.drop(join);
  memory.drop(join);
  expect(walk('code', 7)).toEqual([]);
  expect(memory.totals).toMatchObject({ joins: 1, hinted: 0 });
  expect(memory.countHints(9)).toBe(0);
});

test('a rare browser is not counted with a common one that shares half of its hash', () => {
  const { memory, add } = openSmall();
  const [rare, sameLow, sameHigh] = [0x0001_0005, 0x0002_0005, 0x0001_0006];
  for (let join = 0; join < 20; join += 1) add({ hints: sameLow });
  add({ hints: rare });
  expect(memory.countHints(rare)).toBe(1);
  expect(memory.countHints(sameLow)).toBe(20);
  expect(memory.countHints(sameHigh)).toBe(0);
});

test('a member is found by the code that they got', () => {
  const { memory, add } = openSmall();
  const [early, late] = [add({}), add({})];
  memory.setOwnCode(late, 11);
  memory.setOwnCode(early, 12);
  memory.setOwnCode(early, 12);
  expect([memory.find('ownCode', 11), memory.find('ownCode', 12)]).toEqual([late, early]);
  expect(memory.find('ownCode', 13)).toBeNull();
});
