/** The calls of docs/behaviour.md 7, on both engines, and what is refused with a sentence. */
import type { InjectOptions } from 'fastify';
import { Compile } from 'typebox/compile';
import { describe, expect, test, vi } from 'vitest';
import { coarsePaint } from '../../brand/art/ghost.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, IDEMPOTENCY_KEY_HEADER, pagePaths } from '../../contract/paths.ts';
import { Member, ReferralVerification, Stats } from '../../contract/schemas.ts';
import { SOURCE_HEADER } from '../../contract/sources.ts';
import { getSource } from '../../server/line/sources/source-store.ts';
import { orderFaces } from '../../server/visitors/get-stats.ts';
import { engines } from '../support/engines.ts';
import { isAll } from '../support/test-form.ts';
import { provideApp } from './provide-app.ts';
import { SCRIPT_PATH } from './test-site.ts';

const SENTENCE = expect.stringMatching(/^[A-Z].*[.]$/);

describe.each(engines)('the API on %s', (engine) => {
  const app = provideApp(engine);
  const { ask, read, sql } = app;
  const join = (payload: unknown, headers: Record<string, string> = {}) =>
    ask('POST', apiPaths.join, payload as object, headers);

  test('a join answers 201 with the member record, and status returns the same', async () => {
    const joined = await join({ email: ' Ada@Example.com ', referred_by: null });
    expect(joined.statusCode).toBe(201);
    expect(Compile(Member).Check(joined.json())).toBe(true);
    expect(joined.json()).toMatchObject({
      email: 'Ada@Example.com',
      referral_count: 0,
      tier_level: 0,
      rewards_unlocked: [],
    });
    const status = await ask('GET', fillPath(apiPaths.status, joined.json().id));
    expect([status.statusCode, status.json()]).toEqual([200, joined.json()]);
  });

  test('one address in two spellings is one member', async () => {
    expect((await join({ email: 'kurt@b\u00fccher.example' })).statusCode).toBe(201);
    const again = await join({ email: ' KURT@xn--bcher-kva.example' });
    expect([again.statusCode, again.json()]).toEqual([
      409,
      { detail: expect.stringContaining('already registered'), code: 'already_registered' },
    ]);
  });

  test('the same key and body get the same bytes from any app; another body gets 422', async () => {
    const headers = { [IDEMPOTENCY_KEY_HEADER]: 'key-1' };
    const body = { email: 'retry@example.com', referred_by: null };
    const first = await join(body, headers);
    const another = await app.openAnother();
    const elsewhere = await ask('POST', apiPaths.join, body, headers, another);
    await another.close();
    for (const replay of [first, await join(body, headers), elsewhere]) {
      expect([replay.statusCode, replay.payload]).toEqual([201, first.payload]);
      expect(replay.headers['content-type']).toBe(first.headers['content-type']);
    }
    expect((await join({ ...body, email: 'other@example.com' }, headers)).statusCode).toBe(422);
    expect((await join(body)).statusCode).toBe(409);
  });

  test('a key or an address that cannot be is refused with a sentence', async () => {
    for (const key of ['', ' ', 'a b', '\u00e9', 'x'.repeat(201)])
      expect(
        (await join({ email: 'key@example.com' }, { [IDEMPOTENCY_KEY_HEADER]: key })).statusCode,
      ).toBe(422);
    for (const email of ['', 'nobody', 'a\u0000@example.com', `a@${'b'.repeat(1020)}.example`]) {
      const { statusCode, json } = await join({ email });
      expect([email, statusCode, json().detail]).toEqual([email, 422, SENTENCE]);
    }
  });

  test('stats count all members and name none', async () => {
    const { statusCode, payload, json } = await ask('GET', apiPaths.stats);
    expect([statusCode, Compile(Stats).Check(json())]).toEqual([200, true]);
    expect(json()).toMatchObject({ available_masks: 100 });
    expect(payload).not.toContain('@');
  });

  test('faces are the paint of the first in line, without position, code or id', async () => {
    for (let face = 0; face < 6; face += 1) await app.join(`face${face}@example.com`);
    const rows = await sql<{ id: string; code: string }>(`
      select id, referral_code as code from member join standing on member_id = id
      order by sort_key`);
    expect(rows.length).toBeGreaterThan(5);
    const { headers, payload, json } = await ask('GET', apiPaths.faces);
    expect(json()).toEqual({ faces: orderFaces(rows.map(({ code }) => coarsePaint(code))) });
    for (const { id, code } of rows)
      for (const name of [id, id.slice(-12), code])
        expect(payload.toUpperCase()).not.toContain(name.toUpperCase());
    // One read serves everybody for seconds, in browsers and proxies, too.
    expect(headers['cache-control']).toBe('public, max-age=5');
    await app.join('new-face@example.com');
    expect((await ask('GET', apiPaths.faces)).payload).toBe(payload);
  });

  test('verifying a code returns the address, masked if the operator chooses so', async () => {
    const { referral_code: code } = await app.join('linus@example.com');
    const url = fillPath(apiPaths.verifyReferral, code);
    const full = await read(url);
    expect(Compile(ReferralVerification).Check(full)).toBe(true);
    expect(full).toEqual({ valid: true, referrer_email: 'linus@example.com' });
    const masking = await app.openAnother({ inviterEmail: 'masked' });
    const masked = await masking.fastify.inject(url);
    await masking.close();
    expect(masked.json().referrer_email).toMatch(/^li\u2022+@example\.com$/);
  });

  test('codes and ids of nobody are answered as such', async () => {
    for (const code of ['ZZZZZZZZZZ', '%00', '%F0%9F%91%BB', "'", '%E0%A4%A', 'a'.repeat(400)]) {
      const { statusCode, json } = await ask('GET', `/api/waitlist/verify-referral/${code}`);
      expect([code, statusCode, json()]).toEqual([
        code,
        200,
        { valid: false, referrer_email: null },
      ]);
    }
    for (const id of ['7b3c0c1e-6b1f-4b7a-9a51-3c2a5d1f0000', 'nobody', '%00', "'"]) {
      const { statusCode, json } = await ask('GET', `/api/waitlist/status/${id}`);
      expect([id, statusCode, Object.keys(json())]).toEqual([id, 404, ['detail']]);
    }
  });

  describe('the source of a join', () => {
    async function sourceOf(email: string, header?: string) {
      const joined = await join({ email }, header === undefined ? {} : { [SOURCE_HEADER]: header });
      expect(joined.statusCode).toBe(201);
      return (await getSource(app.database, joined.json().id)) ?? {};
    }

    test('comes in its header, and the join goes on whatever that has', async () => {
      expect(
        await sourceOf('a@example.com', 'utm_source=TikTok&referring_host=t.co'),
      ).toMatchObject({ utm_source: 'TikTok', referring_host: 't.co' });
      const long = `utm_source=${'a'.repeat(10_000)}`;
      const own = 'referring_host=line.example.com';
      for (const [nth, header] of [undefined, 'hello', 'utm_source=%3Cb%3E', long, own].entries())
        expect(Object.values(await sourceOf(`none${nth}@example.com`, header)).join('')).toBe('');
    });

    test('comes in the query when a form is posted natively, and is exported', async () => {
      for (const path of [pagePaths.landing, fillPath(pagePaths.invite, '7K3MPQ9XHT')]) {
        const { statusCode, headers } = await app.fastify.inject({
          method: 'POST',
          url: `${path}?utm_campaign=Drop%201&via=copy`,
          headers: {
            origin: 'https://line.example.com',
            'content-type': 'application/x-www-form-urlencoded',
          },
          payload: `email=native-${path.length}@example.com&referred_by=`,
        });
        expect(statusCode).toBe(303);
        const id = /[\w-]{36}/.exec(String(headers.location))?.[0] ?? '';
        const source = { utm_campaign: 'Drop 1', via: 'copy' };
        expect(await getSource(app.database, id)).toMatchObject(source);
        const exported: object[] = await read(`${operatorPaths.exportMembers}?format=json`);
        const member = expect.objectContaining({ id, ...source, referring_host: '' });
        expect(exported).toContainEqual(member);
      }
    });
  });
});

describe('refusals', () => {
  const app = provideApp('postgres');
  const refusal = async (request: InjectOptions) => {
    const { statusCode, payload, headers } = await app.fastify.inject(request);
    expect(JSON.parse(payload)).toEqual({ detail: SENTENCE });
    return { status: statusCode, headers };
  };

  test.each([
    ['no JSON', '{bad', 400],
    ['nothing', '', 400],
    ['a key twice removed', '{"__proto__":{"a":1},"email":"a@example.com"}', 400],
    ['an array', '[]', 422],
    ['null', 'null', 422],
    ['a string', '"a@example.com"', 422],
    ['no address', '{}', 422],
    ['an address in a list', '{"email":["a@example.com"]}', 422],
    ['a number for an address', '{"email":1}', 422],
    ['a number for a code', '{"email":"a@example.com","referred_by":1}', 422],
    ['too much', JSON.stringify({ email: 'a'.repeat(17_000) }), 413],
  ])('a join of %s', async (_name, payload, status) => {
    const headers = { 'content-type': 'application/json' };
    const request: InjectOptions = { method: 'POST', url: apiPaths.join, payload, headers };
    expect(await refusal(request)).toMatchObject({ status });
  });

  const READ = 'GET, HEAD, OPTIONS';
  const PAGE = 'GET, HEAD, POST, OPTIONS';
  const UNKNOWN = ['PROPFIND', 'TRACE', 'MKCOL', 'PURGE', 'SEARCH'];
  test.each([
    [['PUT', 'GET'], apiPaths.join, 'POST, OPTIONS'],
    [['POST'], apiPaths.stats, READ],
    [['POST'], '/console', READ],
    [['DELETE'], fillPath(apiPaths.status, 'x'), READ],
    [['PATCH', ...UNKNOWN], `${fillPath(apiPaths.verifyReferral, 'x')}?a=/nothing`, READ],
    [['DELETE', ...UNKNOWN], '/', PAGE],
    [UNKNOWN, '/invite/ABC/card/1.jpg', READ],
    [UNKNOWN, SCRIPT_PATH, 'HEAD, GET, OPTIONS'],
  ])('%j of %s is told what is allowed', async (methods, url, allow) => {
    for (const method of methods as 'GET'[]) {
      const request = { method, url, headers: { accept: 'text/html' } };
      const { status, headers } = await refusal(request);
      expect([method, status, headers.allow]).toEqual([method, 405, allow]);
      if (UNKNOWN.includes(method))
        expect(await refusal({ method, url: '/nothing' })).toMatchObject({ status: 404 });
    }
  });

  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/waitlist/status',
    '/api/%zz',
    '/operator/api/nothing',
  ])('%s answers 404 as JSON, whatever the browser prefers', async (url) => {
    const headers = { accept: 'text/html', 'content-type': 'application/json' };
    for (const request of [{ url }, { url, method: 'POST', payload: '{bad' } as const])
      expect(await refusal({ ...request, headers })).toMatchObject({
        status: 404,
        headers: { 'cache-control': 'no-store' },
      });
  });

  const asPage = (url: string) => app.fastify.inject({ url, headers: { accept: 'text/html' } });
  test.each(['/nothing', '/nothing/%E0', '/invite/%E0/%', `/${'a'.repeat(400)}`])(
    'a browser that asks for %s gets a page',
    async (url) => {
      const { statusCode, headers, payload } = await asPage(url);
      expect(statusCode).toBe(404);
      expect(headers['content-type']).toContain('text/html');
      expect(payload).toContain('Nobody');
      expect(await refusal({ url })).toMatchObject({ status: 404 });
    },
  );

  test.each([
    ['/invite/%E0%A4%A', 200, 'Home'],
    ['/invite/%E0%A4%A?plain', 200, 'Invalid Invite'],
    [`/invite/${'a'.repeat(400)}?plain`, 200, 'Invalid Invite'],
    ['/thank-you/%', 200, 'Loading Ghost Status...'],
    ['/thank-you/%?plain', 404, 'plain-status-not-found'],
    ['/confirm/%C0%AF', 404, 'link-unknown'],
  ])('%s is taken literally by its page', async (url, status, words) => {
    const { statusCode, payload } = await asPage(url);
    expect([statusCode, payload]).toEqual([status, expect.stringContaining(words)]);
  });
});

describe('a server whose database is gone', () => {
  const app = provideApp('postgres');

  test('an internal error reveals nothing', async () => {
    await app.database.close();
    const broken = await app.fastify.inject(apiPaths.stats);
    expect([broken.statusCode, broken.json()]).toEqual([
      500,
      { detail: 'Something went wrong on our side. Please try again later.' },
    ]);
    const ready = await app.fastify.inject('/readyz');
    expect([ready.statusCode, ready.headers['retry-after']]).toEqual([503, '5']);
    expect((await app.fastify.inject('/healthz')).statusCode).toBe(200);
  });
});

describe.runIf(isAll)('the API, described for machines and for people,', () => {
  const app = provideApp('postgres');
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.fastify.inject({ url, headers });

  test('is rendered once, and not per request', async () => {
    const json = await get('/api/openapi.json');
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
    const render = vi.spyOn(app.fastify as unknown as { swagger(): object }, 'swagger');
    for (const path of ['/api/openapi.json', '/api/docs']) await get(path);
    expect(render).not.toHaveBeenCalled();
    render.mockRestore();
  });

  test.each(['/api/openapi.json', '/api/docs'])(
    'is compressed once as %s, and not sent again to whoever has it',
    async (url) => {
      const plain = await get(url);
      expect(plain.headers.vary).toBe('accept-encoding');
      for (const encoding of ['br', 'gzip']) {
        const { headers, rawPayload } = await get(url, { 'accept-encoding': encoding });
        expect(headers['content-encoding']).toBe(encoding);
        expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
        const again = { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) };
        expect((await get(url, again)).statusCode).toBe(304);
      }
    },
  );

  test('has every path, and each schema once', async () => {
    const document = (await get('/api/openapi.json')).json();
    const described = Object.keys(document.paths);
    const wanted = [...Object.values(apiPaths), ...Object.values(operatorPaths)].map((path) =>
      path.replaceAll(/:(\w+)/g, '{$1}'),
    );
    expect(wanted.filter((path) => !described.includes(path))).toEqual([
      '/api/waitlist/status/{memberId}/live',
      apiPaths.mailEvents,
    ]);
    expect(described.filter((path) => !wanted.includes(path))).toEqual([]);
    expect(document.components.securitySchemes.cookie.description).toContain('`x-unattended`');
    const { payload, headers } = await get('/api/docs');
    expect(headers['content-type']).toContain('text/html');
    expect(payload).toContain('POST /api/waitlist/join');
    const schemas = payload.match(/<pre.*?<\/pre>/gs) ?? [];
    expect(schemas.length).toBeGreaterThan(20);
    expect(new Set(schemas).size).toBe(schemas.length);
  });
});
