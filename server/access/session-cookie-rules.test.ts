import { expect, test } from 'vitest';
import { readSessionCookie, writeSessionCookie } from './session-cookie-rules.ts';

const HTTPS = 'https://line.example.com';
const HTTP = 'http://127.0.0.1:3000';

test('the cookie is for this host alone, hidden from scripts and not sent by other sites', () => {
  expect(writeSessionCookie('x', HTTPS)).toBe(
    '__Host-waitlist_operator=x; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure',
  );
  expect(writeSessionCookie('x', HTTP)).toBe(
    'waitlist_operator=x; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict',
  );
  expect(writeSessionCookie(null, HTTP)).toContain('waitlist_operator=; Path=/; Max-Age=0;');
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
  expect(readSessionCookie(header, publicUrl)).toBe(secret);
});
