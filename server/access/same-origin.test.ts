import { expect, test } from 'vitest';
import { isFromElsewhere, isFromOurPage } from './same-origin.ts';

const publicUrl = 'https://line.example.com';
const call = (method: string, headers: Record<string, string>) => ({
  method,
  headers: { host: 'line.example.com', ...headers },
  publicUrl,
});

test.each([
  ['POST', { 'sec-fetch-site': 'same-origin' }, true],
  ['POST', { origin: publicUrl }, true],
  ['POST', { 'sec-fetch-site': 'same-origin', origin: publicUrl }, true],
  ['POST', { 'sec-fetch-site': 'none' }, false],
  ['POST', { 'sec-fetch-site': 'same-site' }, false],
  ['POST', { 'sec-fetch-site': 'cross-site', origin: publicUrl }, false],
  ['POST', { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, false],
  ['POST', { origin: 'null' }, false],
  ['POST', { origin: 'https://evil.example' }, false],
  ['POST', { origin: 'https://line.example.com:444' }, false],
  ['POST', {}, false],
  ['GET', { 'sec-fetch-site': 'none' }, true],
  ['GET', { 'sec-fetch-site': 'cross-site' }, false],
])('%s with %j is from our page: %s', (method, headers, expected) => {
  expect(isFromOurPage(call(method, headers))).toBe(expected);
});

test('a program, which says nothing, is not from elsewhere', () => {
  expect(isFromElsewhere(call('POST', {}))).toBe(false);
});

test('a server reached under another name than its own counts that as its origin', () => {
  const headers = { host: 'localhost:3000', origin: 'http://localhost:3000' };
  expect(isFromOurPage(call('POST', headers))).toBe(true);
});
