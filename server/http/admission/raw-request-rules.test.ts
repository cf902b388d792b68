import { expect, test } from 'vitest';
import { readRawRequest } from './raw-request-rules.ts';

const read = (text: string) => readRawRequest(Buffer.from(text));

test('a whole request of a visitor is known by its bytes', () => {
  const join =
    'POST /api/waitlist/join HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\ncontent-length: 2\r\n\r\n{}';
  expect(read(join)).toEqual({ url: '/api/waitlist/join', wantsPage: false });
  const page = 'GET /?ref=ABC HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nAccept: text/html,*/*\r\n\r\n';
  expect(read(page)).toEqual({ url: '/?ref=ABC', wantsPage: true });
  expect(read('GET / HTTP/1.1\r\n\r\n')).toEqual({ url: '/', wantsPage: false });
});

test.each([
  ['a method that is answered without a body', 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an older version', 'GET / HTTP/1.0\r\nHost: a\r\n\r\n'],
  ['an absolute address', 'GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a header that goes on', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ['a body that goes on', 'POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n{}'],
  ['a body that is too long', 'POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n{}'],
  ['a body without a length', 'POST / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a body with two lengths', 'POST / HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}'],
  ['a length that is none', 'POST / HTTP/1.1\r\nContent-Length: +2\r\n\r\n{}'],
  ['a length with a space before it', 'POST / HTTP/1.1\r\nContent-Length : 2\r\n\r\n{}'],
  ['a body that a page has none of', 'GET / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}'],
  ['a body in chunks', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}'],
  ['a question before the body', 'POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}'],
  ['another protocol', 'GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n'],
  ['a connection that ends', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a folded line', 'GET / HTTP/1.1\r\nX: a\r\n Content-Length: 2\r\n\r\n'],
  ['lines that end in their own way', 'GET / HTTP/1.1\r\nX: a\nContent-Length: 2\r\n\r\n'],
  ['two requests', 'GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n'],
  ['more than a visitor sends', `GET / HTTP/1.1\r\nX: ${'a'.repeat(9000)}\r\n\r\n`],
  ['anything else', '{"email":"a@example.com"}\r\n\r\n'],
])('%s is for the parser', (_name, text) => {
  expect(read(text)).toBe(null);
});
