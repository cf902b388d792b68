import { expect, test } from 'vitest';
import { openJoinMemory, type RememberedJoin } from './join-memory.ts';

const blank: RememberedJoin = {
  code: 0,
  mailbox: 0,
  narrow: 0,
  wide: 0,
  hints: 0,
  domain: 0,
  stem: 0,
  shape: 0,
  flags: 0,
  at: 0,
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
  const { memory, add, walk } = openSmall();
  const [first, , second] = [add({ code: 7 }), add({ code: 7 + 16 }), add({ code: 7 })];
  expect(walk('code', 7)).toEqual([second, first]);
  expect(memory.countFriends(7)).toBe(2);
  expect(walk('code', 8)).toEqual([]);
});

test('the newest join replaces the oldest', () => {
  const { memory, add, walk } = openSmall();
  for (let join = 0; join < 200; join += 1) add({ narrow: 5, hints: 3 });
  expect(walk('narrow', 5)).toEqual(Array.from({ length: 64 }, (_, index) => 199 - index));
  expect(memory.totals.joins).toBe(64);
  expect(memory.countInLine('hints', 3)).toBe(64);
});

test('a join that did not happen is not found and not counted', () => {
  const { memory, add, walk } = openSmall();
  const join = add({ code: 7, domain: 9 });
  memory.drop(join);
  memory.drop(join);
  expect(walk('code', 7)).toEqual([]);
  expect(memory.totals.joins).toBe(0);
  expect(memory.countInLine('domain', 9)).toBe(0);
});

test('a rare domain is not counted with a common one that shares half of its hash', () => {
  const { memory, add } = openSmall();
  const [rare, sameLow, sameHigh] = [0x0001_0005, 0x0002_0005, 0x0001_0006];
  for (let join = 0; join < 20; join += 1) add({ domain: sameLow });
  add({ domain: rare });
  expect(memory.countInLine('domain', rare)).toBe(1);
  expect(memory.countInLine('domain', sameLow)).toBe(20);
  expect(memory.countInLine('domain', sameHigh)).toBe(0);
});

test('friends are counted by the hour, with the codes that they came by', () => {
  const { memory, add } = openSmall();
  const at = 7 * 3_600;
  const [first] = [add({ code: 7, at }), add({ code: 7, at: at + 3_599 }), add({ code: 8, at })];
  add({ at });
  add({ code: 7, at: at + 3_600 });
  expect(memory.countHour(at)).toEqual({ friends: 3, codes: 2 });
  expect(memory.countHour(at + 3_600)).toEqual({ friends: 1, codes: 1 });
  memory.drop(first);
  expect(memory.countHour(at)).toEqual({ friends: 2, codes: 1 });
  expect(memory.countHour(0)).toEqual({ friends: 0, codes: 0 });
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
