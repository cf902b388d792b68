/** Request smuggling and path confusion, over real sockets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApp } from '../http/test-app.ts';
import { exchange as exchangeWith, openListeningApp } from './listening-app.ts';

let app: TestApp;
let port: number;
beforeAll(async () => {
  ({ app, port } = await openListeningApp());
});
afterAll(() => app.remove());

const exchange = (text: string | Buffer) => exchangeWith(port, text);
const statusesOf = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** The request that an attacker tries to smuggle in. */
const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
const post = (...headers: string[]) =>
  [
    'POST /api/waitlist/join HTTP/1.1',
    'Host: a',
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n');
const get = (...headers: string[]) => ['GET /healthz HTTP/1.1', ...headers, '', ''].join('\r\n');
const CHUNKED = 'Transfer-Encoding: chunked';
/** Is answered where the connection is still open, and closes it. */
const LAST = get('Host: a', 'Connection: close');

describe('an ambiguous length is refused, and the hidden request is not answered', () => {
  test.each([
    ['CL.TE', `${post(`Content-Length: ${5 + HIDDEN.length}`, CHUNKED)}0\r\n\r\n${HIDDEN}`],
    [
      'TE.CL',
      post(CHUNKED, 'Content-Length: 4') +
        `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n0\r\n\r\n`,
    ],
    ['TE.TE', `${post(CHUNKED, 'Transfer-Encoding: identity')}0\r\n\r\n${HIDDEN}`],
    [
      'an encoding before chunked',
      `${post('Transfer-Encoding: identity, chunked', 'Content-Length: 5')}0\r\n\r\n${HIDDEN}`,
    ],
    [
      'an encoding after chunked',
      `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n${HIDDEN}`,
    ],
    ['an unknown encoding', `${post('Transfer-Encoding: xchunked')}0\r\n\r\n${HIDDEN}`],
    ['chunked with a tab in it', `${post('Transfer-Encoding: chunked\x0b')}0\r\n\r\n${HIDDEN}`],
    ['a space before the colon', `${post('Transfer-Encoding : chunked')}0\r\n\r\n${HIDDEN}`],
    ['a space before the colon of the length', `${post('Content-Length : 5')}0\r\n\r\n${HIDDEN}`],
    [
      'two different lengths',
      `${post('Content-Length: 2', `Content-Length: ${2 + HIDDEN.length}`)}{}${HIDDEN}`,
    ],
    ['the same length twice', `${post('Content-Length: 2', 'Content-Length: 2')}{}${HIDDEN}`],
    ['a list of lengths', `${post('Content-Length: 2, 2')}{}${HIDDEN}`],
    ['a signed length', `${post('Content-Length: +2')}{}${HIDDEN}`],
    ['a negative length', `${post('Content-Length: -2')}{}${HIDDEN}`],
    ['a hexadecimal length', `${post('Content-Length: 0x2')}{}${HIDDEN}`],
    ['a length beyond all numbers', `${post(`Content-Length: ${'9'.repeat(40)}`)}{}${HIDDEN}`],
    ['a folded header', `${post('X-Folded: a', ` ${CHUNKED}`, 'Content-Length : 2')}{}${HIDDEN}`],
    ['a chunk of no size', `${post(CHUNKED)}\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['a chunk of a wrong size', `${post(CHUNKED)}1\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['a chunk of a negative size', `${post(CHUNKED)}-2\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['a chunk of a huge size', `${post(CHUNKED)}${'f'.repeat(17)}\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['a chunk whose line ends in a bare LF', `${post(CHUNKED)}2\n{}\n0\n\n${HIDDEN}`],
    ['a chunk extension with a bare LF', `${post(CHUNKED)}2;a\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['bare LF for all lines', `${post('Content-Length: 2').replaceAll('\r\n', '\n')}{}${HIDDEN}`],
    ['a bare CR in a header', `${get('Host: a', 'X: a\rX-B: b')}${HIDDEN}`],
    ['a NUL in a header', `${get('Host: a', 'X: a\0b')}${HIDDEN}`],
    ['a header without a colon', `${get('Host: a', 'nonsense')}${HIDDEN}`],
    ['a header without a name', `${get('Host: a', ': b')}${HIDDEN}`],
    ['a header that begins with a space', `${get(' X: a', 'Host: a')}${HIDDEN}`],
    ['a method in small letters', `${get('Host: a').replace('GET', 'get')}${HIDDEN}`],
    ['an unknown method', `${get('Host: a').replace('GET', 'GHOST')}${HIDDEN}`],
    ['HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${HIDDEN}`],
    ['HTTP/9.9', `${get('Host: a').replace('1.1', '9.9')}${HIDDEN}`],
    ['a space in the path', `GET /healthz /x HTTP/1.1\r\nHost: a\r\n\r\n${HIDDEN}`],
    ['TLS in the clear', Buffer.from([22, 3, 1, 0, 5, 1, 0, 0, 1, 3])],
  ])('%s', async (_name, text) => {
    const received = await exchange(text);
    expect(statusesOf(received)).toEqual([400]);
    expect(received.slice(received.indexOf('{'))).toMatch(/^\{"detail":"[A-Z][^"]+[.]"\}$/);
    expect(received.toLowerCase()).toContain('connection: close');
  });
});

describe('unusual valid requests are answered once', () => {
  const JOIN = '{"email":"nobody"}';
  const size = JOIN.length.toString(16);
  test.each([
    [
      'a chunk extension',
      `${post(CHUNKED)}${size};a=b;c="d e"\r\n${JOIN}\r\n0;x\r\n\r\n`,
      [422, 200],
    ],
    ['trailers', `${post(CHUNKED)}${size}\r\n${JOIN}\r\n0\r\nX-A: b\r\n\r\n`, [422, 200]],
    ['zeros before a chunk size', `${post(CHUNKED)}000${size}\r\n${JOIN}\r\n0\r\n\r\n`, [422, 200]],
    [
      'single bytes in chunks',
      `${post(CHUNKED)}${[...JOIN].map((one) => `1\r\n${one}\r\n`).join('')}0\r\n\r\n`,
      [422, 200],
    ],
    ['empty lines before the request', `\r\n\r\n${get('Host: a')}`, [200, 200]],
    ['two requests in a row', `${get('Host: a')}${get('Host: a')}`, [200, 200, 200]],
    ['another host', get('Host: evil.example'), [200, 200]],
    [
      'an absolute address',
      'GET http://evil.example/healthz HTTP/1.1\r\nHost: a\r\n\r\n',
      [200, 200],
    ],
    ['HTTP/1.0 with a host', get('Host: a').replace('1.1', '1.0'), [200]],
    ['the offer of HTTP/2', get('Host: a', 'Connection: Upgrade, close', 'Upgrade: h2c'), [200]],
    ['HTTP/0.9', 'GET /healthz\r\n\r\n', [200]],
    ['no host', get(), [400, 200]],
    ['two hosts', get('Host: a', 'Host: b'), [400, 200]],
    ['the same host twice', get('Host: a', 'host: a'), [400, 200]],
    ['two hosts in HTTP/1.0', get('Host: a', 'Host: b').replace('1.1', '1.0'), [400]],
    ['no host in HTTP/1.0', get().replace('1.1', '1.0'), [200]],
    ['an unknown expectation', `${post('Expect: nonsense', 'Content-Length: 2')}{}`, [417]],
    ['OPTIONS of the whole server', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', [204, 200]],
    ['a body where none is read', `${get('Host: a', 'Content-Length: 4')}body`, [200, 200]],
    [
      'a request inside a body',
      `${get('Host: a', `Content-Length: ${HIDDEN.length}`)}${HIDDEN}`,
      [200, 200],
    ],
    [
      'a proxy to elsewhere',
      'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n',
      [],
    ],
  ])('%s', async (_name, text, statuses) => {
    const isClosing = !text.includes('HTTP/1.1') || text.includes(', close');
    const received = await exchange(isClosing ? text : text + LAST);
    expect(statusesOf(received)).toEqual(statuses);
    const isRefused = statuses.some((status) => status >= 400);
    expect(/\{"detail":"[A-Z][^"]+[.]"\}/.test(received)).toBe(isRefused);
  });

  test('many headers are accepted, and far too many are refused', async () => {
    const headers = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: 1`);
    expect(
      statusesOf(await exchange(get('Host: a', 'Connection: close', ...headers(500)))),
    ).toEqual([200]);
    expect(statusesOf(await exchange(get('Host: a', ...headers(4000))))).toEqual([431]);
  });
});

describe('no spelling of a path leads to a server file or past the operator token', () => {
  test.each([
    '/../../../../etc/passwd',
    '/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2f..%2fetc%2fpasswd',
    '/%252e%252e%252fetc%252fpasswd',
    '/..\\..\\..\\etc\\passwd',
    '/%5c..%5c..%5cetc%5cpasswd',
    '/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd',
    '/%e0%80%ae%e0%80%ae/etc/passwd',
    '/\xc0\xae\xc0\xae/etc/passwd',
    '/....//....//etc/passwd',
    '//etc/passwd',
    '/etc/passwd%00.jpg',
    '/assets/../../pages/landing.html',
    '/assets/..%2f..%2fpages%2flanding.html',
    '/assets/%2e%2e/%2e%2e/pages/landing.html',
    '/og.jpg%00',
    '/og.jpg/',
    '/og.jpg%2f..%2f..%2fpages%2flanding.html',
    '/.env',
    '/package.json',
    '/server/main.ts',
    '/invite/%00',
    '/invite/%E0',
    '/invite/..%2f..%2foperator%2fapi%2fcounts',
    '/invite/../operator/api/counts',
    '/operator/api/counts',
    '/operator/api/counts/',
    '/operator//api/counts',
    '/%6fperator/api/counts',
    '/operator%2fapi%2fcounts',
    '/OPERATOR/api/counts',
    '/operator/api/counts?token=x',
    '/operator/api/counts%00',
    '/operator/api/../api/counts',
    '/operator/api/members/export?format=csv',
    '/api/../operator/api/counts',
    '/metrics',
    '/%6d%65trics',
    '/metrics;/',
    '/dev/mail',
  ])('%s', async (path) => {
    const received = await exchange(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const [status = 0] = statusesOf(received);
    const isPageOfItsOwn = /^\/invite\/(%00|%E0|\.\.%2f)/.test(path);
    expect(isPageOfItsOwn ? [200] : [400, 401, 404]).toContain(status);
    expect(received).not.toMatch(
      /root:.*:0:0|"total_signups"|"members":|devDependencies|http_request_duration/,
    );
  });

  test('an escaped path gets the headers of the path that it encodes', async () => {
    const plain = await app.fastify.inject('/api/waitlist/stats');
    const received = await exchange(
      'GET /%61pi/waitlist/st%61ts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect(statusesOf(received)).toEqual([200]);
    for (const name of ['cache-control', 'x-robots-tag', 'content-security-policy'])
      expect(received).toContain(`${name}: ${plain.headers[name]}`);
  });
});
