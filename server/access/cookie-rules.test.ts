import { expect, test } from 'vitest';
import { readCookie, writeCookie } from './cookie-rules.ts';

const HTTPS = 'https://line.example.com';
const HTTP = 'http://127.0.0.1:3000';

test('the cookie is for this host alone, hidden from scripts and not sent by other sites', () => {
  expect(writeCookie('session', 'x', HTTPS)).toBe(
    '__Host-waitlist_operator=x; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure',
  );
  expect(writeCookie('session', 'x', HTTP)).toBe(
    'waitlist_operator=x; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict',
  );
  expect(writeCookie('session', null, HTTP)).toContain('waitlist_operator=; Path=/; Max-Age=0;');
  expect(writeCookie('device', 'x', HTTPS)).toBe(
    '__Host-waitlist_device=x; Path=/; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure',
  );
});

test.each([
  [HTTPS, '__Host-waitlist_operator=abc', 'abc'],
  [HTTPS, 'a=b; __Host-waitlist_operator=abc; c=d', 'abc'],
  [HTTPS, 'waitlist_operator=abc', null],
  [HTTP, 'waitlist_operator=abc', 'abc'],
  [HTTP, 'x_waitlist_operator=abc', null],
  [HTTP, 'waitlist_operator=', null],
  [HTTP, undefined, null],
])('under %s, %j has the secret %j', (publicUrl, header, secret) => {
  expect(readCookie('session', header, publicUrl)).toBe(secret);
});
