import { expect, test } from 'vitest';
import { linkWithCode } from './link-till.ts';
import { openKeys, openSigner, placeOf, sealKeys } from './sealed-keys.ts';

const SECRET = 'a secret key of at least thirty-two characters';
const KEYS = { secretKey: 'sk_live_0123456789', webhookSecret: 'whsec_0123456789' };

test('keys open with the same secret key alone, for the same till, and unchanged', () => {
  const sealed = sealKeys(KEYS, 'stripe', SECRET);
  expect(openKeys(sealed, 'stripe', SECRET)).toEqual(KEYS);
  expect(sealKeys(KEYS, 'stripe', SECRET)).not.toBe(sealed);
  const bytes = Buffer.from(sealed, 'base64');
  expect(bytes.toString('latin1')).not.toContain('sk_live');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  for (const [text, kind, secret] of [
    [sealed, 'stripe', `${SECRET}.`],
    [sealed, 'link', SECRET],
    [bytes.toString('base64'), 'stripe', SECRET],
    ['', 'stripe', SECRET],
  ] as const)
    expect(() => openKeys(text, kind, secret)).toThrow('enter them again');
});

test('the keys of a shop open for this shop and this app alone', () => {
  const settings = { shop: 'ghost.myshopify.com', client_id: 'an-app-of-ours', product: '1' };
  const sealed = sealKeys(KEYS, placeOf('shopify', settings), SECRET);
  const open = (change: object) =>
    openKeys(sealed, placeOf('shopify', { ...settings, ...change }), SECRET);
  expect(open({ product: '2' })).toEqual(KEYS);
  for (const change of [{ shop: 'evil.myshopify.com' }, { client_id: 'an-app-of-others' }])
    expect(() => open(change)).toThrow('enter them again');
});

test('a signature is that of one attempt of one line', () => {
  const sign = openSigner(SECRET, 'line');
  expect(sign('o/1')).toBe(openSigner(SECRET, 'line')('o/1'));
  const others = [sign('o/2'), openSigner(SECRET, 'other')('o/1'), openSigner('x', 'line')('o/1')];
  expect(others).not.toContain(sign('o/1'));
});

test('a code stands wherever the link has a place for it, and else at its end', () => {
  const link = (url: string) => linkWithCode(url, 'A/B $&');
  expect(link('https://shop.test/discount/')).toBe('https://shop.test/discount/A%2FB%20%24%26');
  expect(link('https://{code}.test/?c={code}#x')).toBe(
    'https://A%2FB%20%24%26.test/?c=A%2FB%20%24%26#x',
  );
});
