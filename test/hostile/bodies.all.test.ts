/** Bodies of the wrong type, size or shape, at every path that reads one. */
import type { InjectOptions } from 'fastify';
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

const ofMember = (pattern: string) => () => ({ url: pattern.replace(':token', token) });

type Path = {
  name: string;
  reads: string;
  about: () => { url: string; headers?: Record<string, string> };
};

const operatorPath = (name: string, url: string): Path => ({
  name,
  reads: JSON_TYPE,
  about: () => ({ url, headers: AS_OWNER }),
});

/** Routes behind links read bodies of other types as empty. */
const READ: readonly Path[] = [
  { name: 'the join', reads: JSON_TYPE, about: () => ({ url: apiPaths.join }) },
  { name: 'the landing page', reads: FORM_TYPE, about: () => ({ url: '/', headers: OWN_PAGE }) },
  {
    name: 'an invite page',
    reads: FORM_TYPE,
    about: () => ({ url: '/invite/ABCDEFGHJK', headers: OWN_PAGE }),
  },
  operatorPath('finding members', operatorPaths.findMembers),
  operatorPath('changing', operatorPaths.changes),
  operatorPath('undoing', fillPath(operatorPaths.undoChange, '1')),
];
const BEHIND_LINKS: readonly Path[] = [
  mailPagePaths.preferences,
  mailPagePaths.downloadData,
  mailPagePaths.confirm,
].map((pattern) => ({ name: pattern, reads: FORM_TYPE, about: ofMember(pattern) }));

const postTo = (path: Path, payload: string | Buffer, type = path.reads): InjectOptions => {
  const { url, headers } = path.about();
  return { method: 'POST', url, payload, headers: { ...headers, 'content-type': type } };
};

describe.each(READ)('$name', (path) => {
  test.each(TYPES)('a body said to be %s is not read', async (type) => {
    const before = await dumpLine(app);
    for (const payload of [
      '{"email":"x@example.com","text":"x"}',
      'email=x%40example.com',
      '<x/>',
      '\0\xff',
      '',
    ]) {
      const { answer, faults } = await askHostile(app, postTo(path, payload, type));
      expect(faults).toEqual([]);
      expect(answer.statusCode).toBe(415);
    }
    expect(await dumpLine(app)).toBe(before);
  });

  test('a body of 16 KB is read, and one byte more is refused', async () => {
    for (const [size, isRead] of [
      [BODY_LIMIT, true],
      [BODY_LIMIT + 1, false],
      [10 * BODY_LIMIT, false],
    ] as const) {
      const { answer, faults } = await askHostile(app, postTo(path, filled(path.reads, size)));
      expect(faults).toEqual([]);
      expect(answer.statusCode === 413).toBe(!isRead);
    }
  });
});

test('a page behind a link reads no body of another type, and none above 16 KB', async () => {
  for (const path of BEHIND_LINKS) {
    const before = await dumpLine(app);
    for (const type of TYPES) {
      const { answer, faults } = await askHostile(app, postTo(path, 'mail=stopped', type));
      expect(faults).toEqual([]);
      expect(answer.statusCode).toBeLessThan(500);
    }
    const { answer, faults } = await askHostile(
      app,
      postTo(path, filled(path.reads, BODY_LIMIT + 1)),
    );
    expect(faults).toEqual([]);
    expect(answer.statusCode).toBe(413);
    expect(await dumpLine(app)).toBe(before);
  }
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
