import { describe, expect, test } from 'vitest';
import { createBrowserMemory } from '../ui/browser-memory.ts';
import { createMemberStorage } from './storage.ts';

const openMembers = (open: () => Storage) => createMemberStorage(createBrowserMemory(open));

function memoryStorage(): Storage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
  };
}

const MEMBER = {
  id: 'one',
  email: 'ghost@example.com',
  referral_code: 'GH05T1GH05',
  position: 7,
  referral_count: 1,
  tier_level: 0,
  next_tier: null,
  rewards_unlocked: [],
};

describe('the stored member', () => {
  test('is read as written, under exactly two keys, until cleared', () => {
    const storage = memoryStorage();
    const members = openMembers(() => storage);
    members.write(MEMBER);
    expect([storage.key(0), storage.key(1), storage.length]).toEqual([
      'waitlist.member_id',
      'waitlist.member',
      2,
    ]);
    expect(members.read()).toEqual(MEMBER);
    members.clear();
    expect(storage.length).toBe(0);
    expect(members.read()).toBeNull();
  });

  test.each([
    ['no JSON', '{'],
    ['no object', '7'],
    ['a record without id', '{"position":7}'],
    ['the record of another member', '{"id":"two"}'],
  ])('is nobody when the storage holds %s, which does not stay', (_what, record) => {
    const storage = memoryStorage();
    storage.setItem('waitlist.member_id', 'one');
    storage.setItem('waitlist.member', record);
    expect(openMembers(() => storage).read()).toBeNull();
    expect(storage.length).toBe(0);
  });

  test.each([{ position: '8' }, { referral_code: 7 }, { rewards_unlocked: 'all' }])(
    'is their id alone when a field is broken: %o',
    (broken) => {
      const storage = memoryStorage();
      const members = openMembers(() => storage);
      members.write(MEMBER);
      storage.setItem('waitlist.member', JSON.stringify({ ...MEMBER, ...broken }));
      expect(members.read()).toEqual({ id: 'one' });
    },
  );

  test('is nobody, and nothing fails, where the browser refuses storage', () => {
    const members = openMembers(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    members.write({ id: 'one' });
    members.clear();
    expect(members.read()).toBeNull();
  });
});
