import { expect, test } from 'vitest';
import { passkeyOriginOf } from './passkeys.ts';

test.each([
  ['https://line.example.com', 'https://line.example.com', 'line.example.com'],
  ['https://line.example.com:8443', 'https://line.example.com:8443', 'line.example.com'],
  ['http://localhost:3000', 'http://localhost:3000', 'localhost'],
  ['http://line.localhost', 'http://line.localhost', 'line.localhost'],
  ['http://127.0.0.1:3000', 'http://localhost:3000', 'localhost'],
  ['http://[::1]:3000', 'http://localhost:3000', 'localhost'],
])('under %s they work at %s, for %s', (publicUrl, origin, domain) => {
  expect(passkeyOriginOf(publicUrl)).toEqual({ origin, domain });
});

test.each(['http://line.example.com', 'http://192.0.2.7:3000', 'https://192.0.2.7'])(
  'under %s they do not work',
  (publicUrl) => expect(passkeyOriginOf(publicUrl)).toBeNull(),
);
