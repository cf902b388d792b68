/** The four calls of docs/behaviour.md 7, on both engines. */
import { sql } from 'kysely';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coarsePaint } from '../../brand/art/ghost.ts';
import { apiPaths, fillPath, IDEMPOTENCY_KEY_HEADER } from '../../contract/paths.ts';
import { Member, ReferralVerification, Stats } from '../../contract/schemas.ts';
import { orderFaces } from '../../server/visitors/get-stats.ts';
import { engines } from '../support/engines.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const memberSchema = Compile(Member);
const statsSchema = Compile(Stats);
const verificationSchema = Compile(ReferralVerification);

describe.each(engines)('the API on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(() => app.remove());

  function post(payload: unknown, headers: Record<string, string> = {}) {
    return app.fastify.inject({
      method: 'POST',
      url: apiPaths.join,
      payload: payload as object,
      headers,
    });
  }
  const get = (url: string) => app.fastify.inject({ method: 'GET', url });

  test('a join answers 201 with the member record, and status returns the same', async () => {
    const joined = await post({ email: ' Ada@Example.com ', referred_by: null });
    expect(joined.statusCode).toBe(201);
    expect(memberSchema.Check(joined.json())).toBe(true);
    expect(joined.json()).toMatchObject({
      email: 'Ada@Example.com',
      referral_count: 0,
      tier_level: 0,
      rewards_unlocked: [],
    });
    const status = await get(fillPath(apiPaths.status, joined.json().id));
    expect(status.statusCode).toBe(200);
    expect(status.json()).toEqual(joined.json());
  });

  test.each([
    ['letter case', 'grace@example.com', 'GRACE@EXAMPLE.COM'],
    ['white space', 'mary@example.com', '  mary@example.com '],
    ['composed and decomposed letters', 'jos\u00e9@example.com', 'jose\u0301@example.com'],
    ['IDN domains', 'kurt@b\u00fccher.example', 'kurt@xn--bcher-kva.example'],
  ])('one address in two spellings is one member: %s', async (_name, first, second) => {
    expect((await post({ email: first })).statusCode).toBe(201);
    const again = await post({ email: second });
    expect(again.statusCode).toBe(409);
    expect(again.json()).toEqual({
      detail: expect.stringContaining('already registered'),
      code: 'already_registered',
    });
  });

  test('a referral counts in any letter case of its code; unknown ones are ignored', async () => {
    const inviter = await app.join('inviter@example.com');
    const friend = await post({
      email: 'friend@example.com',
      referred_by: inviter.referral_code.toLowerCase(),
    });
    expect(friend.statusCode).toBe(201);
    expect(
      (await post({ email: 'stranger@example.com', referred_by: 'ZZZZZZZZZZ' })).statusCode,
    ).toBe(201);
    expect((await post({ email: 'odd@example.com', referred_by: "'; --\u0000" })).statusCode).toBe(
      201,
    );
    expect((await get(fillPath(apiPaths.status, inviter.id))).json()).toMatchObject({
      referral_count: 1,
      position: 1,
    });
  });

  test('the same key and body get the same bytes from any app; another body gets 422', async () => {
    const headers = { [IDEMPOTENCY_KEY_HEADER]: 'key-1' };
    const body = { email: 'retry@example.com', referred_by: null };
    const first = await post(body, headers);
    expect(first.statusCode).toBe(201);
    const again = await post(body, headers);
    const another = await app.openAnother();
    const elsewhere = await another.fastify.inject({
      method: 'POST',
      url: apiPaths.join,
      payload: body,
      headers,
    });
    await another.close();
    for (const replay of [again, elsewhere]) {
      expect(replay.statusCode).toBe(201);
      expect(replay.payload).toBe(first.payload);
      expect(replay.headers['content-type']).toBe(first.headers['content-type']);
    }
    expect((await post({ ...body, email: 'other@example.com' }, headers)).statusCode).toBe(422);
    expect((await post(body)).statusCode).toBe(409);
  });

  test.each(['', ' ', 'a b', '\u00e9', 'x'.repeat(201)])(
    'an idempotency key of %j is refused',
    async (key) => {
      expect(
        (await post({ email: 'key@example.com' }, { [IDEMPOTENCY_KEY_HEADER]: key })).statusCode,
      ).toBe(422);
    },
  );

  test.each([
    '',
    'nobody',
    'a@b@c.example',
    'a\u0000@example.com',
    'a\n@example.com',
    'a\u202e@example.com',
    '\ud800@example.com',
    'a..b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(1020)}.example`,
  ])('an address of %j is refused with a sentence', async (email) => {
    const response = await post({ email });
    expect(response.statusCode).toBe(422);
    expect(response.json().detail).toMatch(/^[A-Z].*[.]$/);
  });

  test('stats count all members and name none', async () => {
    const response = await get(apiPaths.stats);
    expect(response.statusCode).toBe(200);
    expect(statsSchema.Check(response.json())).toBe(true);
    expect(response.json()).toMatchObject({ available_masks: 100 });
    expect(response.payload).not.toContain('@');
  });

  test('faces are the paint of the first in line, without position, code or id', async () => {
    for (let face = 0; face < 6; face += 1) await app.join(`face${face}@example.com`);
    const { rows } = await sql<{ id: string; code: string }>`
      select id, referral_code as code from member join standing on member_id = id order by sort_key
    `.execute(app.database.kysely);
    expect(rows.length).toBeGreaterThan(5);
    const response = await get(apiPaths.faces);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      faces: orderFaces(rows.map(({ code }) => coarsePaint(code))),
    });
    for (const { id, code } of rows)
      for (const name of [id, id.slice(-12), code])
        expect(response.payload.toUpperCase()).not.toContain(name.toUpperCase());
    // One read serves everybody for seconds, in browsers and proxies, too.
    expect(response.headers['cache-control']).toBe('public, max-age=5');
    await app.join('new-face@example.com');
    expect((await get(apiPaths.faces)).payload).toBe(response.payload);
  });

  test('verifying a code returns the address, masked if the operator chooses so', async () => {
    const { referral_code: code } = await app.join('linus@example.com');
    const full = await get(fillPath(apiPaths.verifyReferral, code));
    expect(verificationSchema.Check(full.json())).toBe(true);
    expect(full.json()).toEqual({ valid: true, referrer_email: 'linus@example.com' });
    const masking = await app.openAnother({ inviterEmail: 'masked' });
    const masked = await masking.fastify.inject({
      method: 'GET',
      url: fillPath(apiPaths.verifyReferral, code),
    });
    await masking.close();
    expect(masked.json().referrer_email).toMatch(/^li\u2022+@example\.com$/);
  });

  test.each(['ZZZZZZZZZZ', 'no', '%00', '%F0%9F%91%BB', "'", 'x'.repeat(290)])(
    'the code %s is not valid',
    async (code) => {
      const response = await get(`/api/waitlist/verify-referral/${code}`);
      expect(response.statusCode).toBe(200);
      expect(response.json()).toEqual({ valid: false, referrer_email: null });
    },
  );

  test.each(['7b3c0c1e-6b1f-4b7a-9a51-3c2a5d1f0000', 'nobody', '%00', "'"])(
    'no member has the id %s',
    async (id) => {
      const response = await get(`/api/waitlist/status/${id}`);
      expect(response.statusCode).toBe(404);
      expect(Object.keys(response.json())).toEqual(['detail']);
    },
  );
});
