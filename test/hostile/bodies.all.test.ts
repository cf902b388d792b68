/** Bodies of the wrong type, size or shape, at every path that reads one. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, mailPagePaths } from '../../contract/paths.ts';
import { dumpLine, SECRET_KEY, settleMail, tokenOf } from '../http/mail-links.ts';
import { AS_OWNER, provideApp } from '../http/provide-app.ts';
import { askHostile, post } from './hostile-ask.ts';
import { signedReport, WEBHOOK_SECRET } from './hostile-places.ts';

const TYPES = [
  'text/plain',
  'text/html',
  'text/json',
  'text/xml',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/jsonp',
  'application/json5',
  'application/x-ndjson',
  'application/vnd.api+json',
  'image/svg+xml',
  'nonsense',
];

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const BODY_LIMIT = 16 * 1024;
/** What browsers send with a form of our own page. */
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

const app = provideApp('postgres', { secretKey: SECRET_KEY, mailWebhookSecret: WEBHOOK_SECRET });
let token: string;
beforeAll(async () => {
  const { id } = await app.join('known@example.com');
  token = tokenOf(id, 'preferences');
});
// A join brings a mail, which is written to the line when it is sent.
beforeEach(() => settleMail(app));

type Path = {
  readonly name: string;
  readonly reads: string;
  readonly about: () => { readonly url: string; readonly headers?: Record<string, string> };
  /** Routes behind links read bodies of other types as empty. */
  readonly isBehindLink?: true;
};

const pathOf = (url: string): Path => ({
  name: url,
  reads: JSON_TYPE,
  about: () => ({ url, ...(url.startsWith('/operator/') && { headers: AS_OWNER }) }),
});
const PATHS: readonly Path[] = [
  pathOf(apiPaths.join),
  pathOf(operatorPaths.findMembers),
  pathOf(operatorPaths.changes),
  pathOf(fillPath(operatorPaths.undoChange, '1')),
  ...['/', '/invite/ABCDEFGHJK'].map((url) => ({
    name: url,
    reads: FORM_TYPE,
    about: () => ({ url, headers: OWN_PAGE }),
  })),
  ...[mailPagePaths.preferences, mailPagePaths.downloadData, mailPagePaths.confirm].map(
    (pattern): Path => ({
      name: pattern,
      reads: FORM_TYPE,
      about: () => ({ url: pattern.replace(':token', token) }),
      isBehindLink: true,
    }),
  ),
];

describe.each(PATHS)('$name', ({ reads, about, isBehindLink }) => {
  const send = async (payload: string, type = reads) => {
    const { url, headers } = about();
    const request = { method: 'POST', url, payload } as const;
    const sent = { ...request, headers: { ...headers, 'content-type': type } };
    const { answer, faults } = await askHostile(app, sent);
    expect(faults).toEqual([]);
    return answer.statusCode;
  };

  test('reads no body that is said to be of another type', async () => {
    const before = await dumpLine(app);
    for (const type of TYPES)
      for (const payload of ['{"email":"x@example.com"}', 'mail=stopped', '<x/>', '\0\xff', '']) {
        const status = await send(payload, type);
        expect([type, payload, isBehindLink ? status < 500 : status === 415]).toEqual([
          type,
          payload,
          true,
        ]);
      }
    expect(await dumpLine(app)).toBe(before);
  });

  test('reads a body of 16 KB, and refuses one byte more', async () => {
    for (const more of [0, 1, 9 * BODY_LIMIT]) {
      const status = await send(filled(reads, BODY_LIMIT + more));
      expect([more, status === 413]).toEqual([more, more > 0]);
    }
  });
});

test('a signed report is read as JSON only, up to 16 KB', async () => {
  const report = signedReport(JSON.stringify({ type: 'complaint', email: 'x@example.com' }));
  for (const type of [...TYPES, FORM_TYPE]) {
    const headers = { ...report.headers, 'content-type': type };
    const { answer, faults } = await askHostile(app, { ...report, headers });
    expect(faults).toEqual([]);
    expect(answer.statusCode).toBe(415);
  }
  const { answer } = await askHostile(app, signedReport(filled(JSON_TYPE, BODY_LIMIT + 1)));
  expect(answer.statusCode).toBe(413);
});

test.each([
  ['a prototype key', '{"__proto__":{"email":"x@example.com"},"email":"y@example.com"}', 400],
  [
    'the prototype of the constructor',
    '{"constructor":{"prototype":{"a":1}},"email":"y@example.com"}',
    400,
  ],
  ['an escaped key of the prototype', '{"\\u005f_proto__":{"a":1},"email":"y@example.com"}', 400],
  ['a deep nest', `{"email":"y@example.com","x":${'['.repeat(4000)}${']'.repeat(4000)}}`, 409],
  [
    'many keys',
    `{${Array.from({ length: 1500 }, (_, key) => `"k${key}":0`).join()},"email":"y@example.com"}`,
    409,
  ],
  ['a lone surrogate', '{"email":"a\\ud800@example.com"}', 422],
  ['a byte order mark', '\ufeff{"email":"y@example.com"}', 409],
  ['bytes that are no UTF-8', Buffer.from('{"email":"y\xff@example.com"}', 'latin1'), 422],
  ['UTF-16', Buffer.from('{"email":"y@example.com"}', 'utf16le'), 400],
  ['a number too large', '{"email":1e999}', 422],
])('a join with %s is told what is wrong', async (_name, payload, status) => {
  await post(app, apiPaths.join, { email: 'y@example.com' });
  const headers = { 'content-type': JSON_TYPE };
  const { answer, faults } = await askHostile(app, {
    method: 'POST',
    url: apiPaths.join,
    payload,
    headers,
  });
  expect(faults).toEqual([]);
  expect([answer.statusCode, answer.payload]).toEqual([status, expect.any(String)]);
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});

test('of a duplicate JSON key the last value counts, for validation as for the join', async () => {
  const payload = '{"email":1,"email":"first@example.com","email":"last@example.com"}';
  const answer = await post(app, apiPaths.join, payload, { 'content-type': JSON_TYPE });
  expect([answer.statusCode, answer.json().email]).toEqual([201, 'last@example.com']);
});

test('of a duplicate form field the first value counts', async () => {
  const payload = 'email=one%40example.com&email=two%40example.com';
  const headers = { ...OWN_PAGE, 'content-type': FORM_TYPE };
  const answer = await post(app, '/', payload, headers);
  expect(answer.statusCode).toBe(303);
  const { id } = (
    await app.fastify.inject(
      fillPath(apiPaths.status, /[\w-]{36}/.exec(answer.headers.location ?? '')?.[0] ?? ''),
    )
  ).json();
  expect((await app.fastify.inject(`/api/waitlist/status/${id}`)).json().email).toBe(
    'one@example.com',
  );
});

/** A body of the given size. */
function filled(type: string, size: number): string {
  const [start, end] = type === JSON_TYPE ? ['{"email":"', '"}'] : ['mail=', ''];
  return start + 'a'.repeat(size - start.length - end.length) + end;
}
