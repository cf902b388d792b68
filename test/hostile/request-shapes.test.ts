/** Request smuggling and path confusion, over real sockets. */
import { describe, expect, test } from 'vitest';
import { exchange as exchangeWith, provideListening } from './listening-app.ts';

const { app, port } = provideListening();

const exchange = (text: string | Buffer) => exchangeWith(port(), text);
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
    ['a space before the colon', `${post('Transfer-Encoding : chunked')}0\r\n\r\n${HIDDEN}`],
    [
      'two different lengths',
      `${post('Content-Length: 2', `Content-Length: ${2 + HIDDEN.length}`)}{}${HIDDEN}`,
    ],
    ['a chunk of a wrong size', `${post(CHUNKED)}1\r\n{}\r\n0\r\n\r\n${HIDDEN}`],
    ['bare LF for all lines', `${post('Content-Length: 2').replaceAll('\r\n', '\n')}{}${HIDDEN}`],
    ['a bare CR in a header', `${get('Host: a', 'X: a\rX-B: b')}${HIDDEN}`],
    ['a header that begins with a space', `${get(' X: a', 'Host: a')}${HIDDEN}`],
    ['an unknown method', `${get('Host: a').replace('GET', 'GHOST')}${HIDDEN}`],
    ['HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${HIDDEN}`],
    ['TLS in the clear', Buffer.from([22, 3, 1, 0, 5, 1, 0, 0, 1, 3])],
  ])('%s', async (_name, text) => {
    const received = await exchange(text);
    expect(statusesOf(received)).toEqual([400]);
    expect(received.slice(received.indexOf('{'))).toMatch(/^\{"detail":"[A-Z][^"]+[.]"\}$/);
    expect(received.toLowerCase()).toContain('connection: close');
  });
});

describe('unusual valid requests are answered once', () => {
  test.each([
    ['two requests in a row', `${get('Host: a')}${get('Host: a')}`, [200, 200, 200]],
    [
      'an absolute address',
      'GET http://evil.example/healthz HTTP/1.1\r\nHost: a\r\n\r\n',
      [200, 200],
    ],
    ['HTTP/1.0 with a host', get('Host: a').replace('1.1', '1.0'), [200]],
    ['the offer of HTTP/2', get('Host: a', 'Connection: Upgrade, close', 'Upgrade: h2c'), [200]],
    ['no host', get(), [400, 200]],
    ['two hosts', get('Host: a', 'Host: b'), [400, 200]],
    ['an unknown expectation', `${post('Expect: nonsense', 'Content-Length: 2')}{}`, [417]],
    ['OPTIONS of the whole server', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', [204, 200]],
    ['a body where none is read', `${get('Host: a', 'Content-Length: 4')}body`, [200, 200]],
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
    '/..\\..\\..\\etc\\passwd',
    '/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd',
    '//etc/passwd',
    '/etc/passwd%00.jpg',
    '/assets/..%2f..%2fpages%2flanding.html',
    '/og.jpg%00',
    '/og.jpg%2f..%2f..%2fpages%2flanding.html',
    '/package.json',
    '/invite/%00',
    '/invite/..%2f..%2foperator%2fapi%2fcounts',
    '/operator/api/counts',
    '/operator//api/counts',
    '/%6fperator/api/counts',
    '/operator%2fapi%2fcounts',
    '/OPERATOR/api/counts',
    '/operator/api/counts%00',
    '/operator/api/members/export?format=csv',
    '/metrics',
    '/%6d%65trics',
    '/dev/mail',
  ])('%s', async (path) => {
    const received = await exchange(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const [status = 0] = statusesOf(received);
    const isPageOfItsOwn = /^\/invite\/(%00|\.\.%2f)/.test(path);
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
