import { afterEach, expect, test, vi } from 'vitest';
import { confirmingPath, ownStatusPath } from '../../../contract/paths.ts';
import { confirmToken, noteMailLink, readMailedStanding, takeOwnMark } from './own-link.ts';

afterEach(() => void vi.unstubAllGlobals());

function visit(path: string): { readonly hash: string } {
  const { hash, pathname, search } = new URL(path, 'https://line.example.com');
  const location = { hash, pathname, search };
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', {
    replaceState: (_state: unknown, _title: string, to: string) => {
      location.hash = new URL(to, 'https://line.example.com').hash;
    },
  });
  return location;
}

test('the standing before a mail is read beside the mark, which is taken with it', () => {
  const location = visit(`${ownStatusPath('m')}&was=131.4`);
  expect(readMailedStanding(2_417)).toEqual({ position: 131, referral_count: 4 });
  expect(takeOwnMark()).toBe('mine');
  expect(location.hash).toBe('');
  expect([takeOwnMark(), readMailedStanding(2_417)]).toEqual([null, null]);
});

test.each(['', '&was=131.0'])('a token is the same with "%s" behind it', (was) => {
  const location = visit(confirmingPath('m', 'to-k_en') + was);
  noteMailLink();
  expect(takeOwnMark()).toBe('mine');
  expect(readMailedStanding(200)?.position).toBe(was === '' ? undefined : 131);
  expect(confirmToken.takeFor('m')).toBe('to-k_en');
  expect(location.hash).toBe('');
});

test.each([
  '',
  '&was=',
  '&was=131',
  '&was=131.',
  '&was=.4',
  '&was=0.4',
  '&was=-131.4',
  '&was=131.-4',
  '&was=1e2.4',
  '&was=131.4.1',
  '&was=201.4',
  `&was=${'9'.repeat(400)}.4`,
  `&was=131.${'9'.repeat(400)}`,
  '&was=<b>.4',
  '&was=%31.4',
])('a link with "%s" is a link without a standing', (was) => {
  visit(ownStatusPath('m') + was);
  expect(readMailedStanding(200)).toBeNull();
  expect(takeOwnMark()).toBe('mine');
});
