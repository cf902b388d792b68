import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { isMember } from './answer-shapes.ts';
import { ApiError } from './api-error.ts';
import { getStatus, joinWaitlist, verifyReferral } from './waitlist.ts';

const MEMBER = {
  id: '0d6b2f0e-8e1f-4a57-9f6e-6a2d3f0c1b11',
  email: 'a@example.com',
  referral_code: '7K3MPQ9XHT',
  position: 128,
  referral_count: 0,
  tier_level: 0,
  next_tier: null,
  rewards_unlocked: [],
};

let answer: (init: RequestInit) => Promise<Response>;
let lastInit: RequestInit = {};

beforeEach(() => {
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    lastInit = init;
    return answer(init);
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const keepSilent = ({ signal }: RequestInit) =>
  new Promise<Response>((_, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason)),
  );
const json = (status: number, body: unknown) => async () => Response.json(body, { status });
const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no failure',
    (error) => error,
  );

describe('a failed call', () => {
  test('carries the detail that the server gave', async () => {
    answer = json(409, { detail: 'This email is already registered.' });
    expect(await failureOf(getStatus('x'))).toMatchObject({
      status: 409,
      message: 'This email is already registered.',
    });
  });

  test.each([
    [{ detail: 'We know you.', code: 'already_registered' }, 'already_registered'],
    [{ detail: 'Email already registered' }, 'already_registered'],
    [{ detail: 'No.', code: 'other' }, null],
    [{ detail: 'Already here.' }, null],
  ])('%j has the code %s', async (body, code) => {
    answer = json(409, body);
    expect(await failureOf(getStatus('x'))).toMatchObject({ code });
  });

  test.each([
    ['is empty', { detail: ' ' }],
    ['is no string', { detail: [{ msg: 'no' }] }],
    ['is missing', {}],
    ['stands in no object', null],
  ])('has the message of its kind when the detail %s', async (_why, body) => {
    answer = json(500, body);
    expect(await failureOf(getStatus('x'))).toMatchObject({
      status: 500,
      detail: null,
      message: 'Failed to get status',
    });
  });

  test('has the message of its kind when the answer is not JSON', async () => {
    answer = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
    const error = await failureOf(verifyReferral('x'));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 502, message: 'Failed to verify referral' });
  });

  test.each([
    ['is not JSON', async () => new Response('hello')],
    ['lacks what the page reads', json(200, { ...MEMBER, position: 'first' })],
    ['is JSON null', json(200, null)],
  ])('is also one that succeeded with a body that %s', async (_why, respond) => {
    answer = respond;
    expect(await failureOf(getStatus('x'))).toMatchObject({
      status: 200,
      message: 'Failed to get status',
    });
  });

  test('has no status when nothing came', async () => {
    answer = () => Promise.reject(new TypeError('network'));
    const attempt = { email: 'a@example.com', referredBy: null, idempotencyKey: 'k' };
    expect(await failureOf(joinWaitlist(attempt))).toMatchObject({
      status: null,
      message: 'Failed to join waitlist',
    });
  });

  test('is one that the server keeps silent about', async () => {
    vi.useFakeTimers();
    answer = keepSilent;
    let isOver = false;
    const failure = failureOf(getStatus('x')).finally(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(14_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toMatchObject({ status: null, message: 'Failed to get status' });
  });

  test('is not one that the page itself gave up', async () => {
    const leaving = new AbortController();
    answer = keepSilent;
    const failure = failureOf(getStatus('x', { signal: leaving.signal }));
    leaving.abort();
    expect(await failure).toMatchObject({ name: 'AbortError' });
    expect(await failureOf(getStatus('x', { signal: leaving.signal }))).toMatchObject({
      name: 'AbortError',
    });
  });
});

test.each([
  ['answered', json(200, MEMBER)],
  ['failed', () => Promise.reject(new TypeError('network'))],
])('a call that %s leaves no timer and no listener behind', async (_how, respond) => {
  vi.useFakeTimers();
  answer = respond;
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, 'addEventListener');
  const removed = vi.spyOn(signal, 'removeEventListener');
  await failureOf(getStatus('x', { signal }));
  expect(vi.getTimerCount()).toBe(0);
  expect(added.mock.calls.length).toBe(1);
  expect(removed.mock.calls).toEqual(added.mock.calls);
});

test('calls need nothing that the oldest browsers lack', async () => {
  const { any, timeout } = AbortSignal;
  Object.assign(AbortSignal, { any: undefined, timeout: undefined });
  answer = json(200, MEMBER);
  const call = getStatus('x', { signal: new AbortController().signal });
  expect(await call.finally(() => Object.assign(AbortSignal, { any, timeout }))).toEqual(MEMBER);
});

describe('a join', () => {
  test('sends the address, the referral and the key', async () => {
    answer = json(201, MEMBER);
    await joinWaitlist({ email: 'a@example.com', referredBy: 'CODE', idempotencyKey: 'key-1' });
    expect(JSON.parse(String(lastInit.body))).toEqual({
      email: 'a@example.com',
      referred_by: 'CODE',
    });
    expect(new Headers(lastInit.headers).get('idempotency-key')).toBe('key-1');
  });

  test('is content with an answer that has an id and nothing else, and not with less', async () => {
    const attempt = { email: 'a@b.c', referredBy: null, idempotencyKey: 'k' };
    answer = json(201, { id: 'some-id' });
    expect(await joinWaitlist(attempt)).toEqual({ id: 'some-id' });
    answer = json(201, { email: 'a@b.c' });
    expect(await failureOf(joinWaitlist(attempt))).toMatchObject({ status: 201 });
  });
});

describe('a call that the page has started', () => {
  const path = fillPath(apiPaths.status, 'x');
  const start = (call: Promise<Response>) => vi.stubGlobal('startedCalls', { [path]: call });

  beforeEach(() => {
    answer = () => Promise.reject(new Error('called again'));
  });

  test('is not made again, and answers once', async () => {
    start(json(200, MEMBER)());
    expect(await getStatus('x')).toEqual(MEMBER);
    answer = json(200, { ...MEMBER, position: 2 });
    expect(await getStatus('x')).toMatchObject({ position: 2 });
  });

  test('fails as others do', async () => {
    start(json(404, { detail: 'Not there.' })());
    expect(await failureOf(getStatus('x'))).toMatchObject({ status: 404, detail: 'Not there.' });
  });

  test('is given up by the page, or after its time', async () => {
    const leaving = new AbortController();
    start(new Promise(() => {}));
    const left = failureOf(getStatus('x', { signal: leaving.signal }));
    leaving.abort();
    expect(await left).toMatchObject({ name: 'AbortError' });
    vi.useFakeTimers();
    start(new Promise(() => {}));
    const late = failureOf(getStatus('x'));
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await late).toMatchObject({ status: null, message: 'Failed to get status' });
  });
});

test('a member without a next tier may lack the field', () => {
  const { next_tier: _absent, ...rest } = MEMBER;
  expect(isMember(rest)).toBe(true);
  expect(isMember({ ...MEMBER, next_tier: { reward: 'x' } })).toBe(false);
});

describe('a join that needs a proof', async () => {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 1,
    counter: 3,
    deriveKey,
    expiresAt: 4_000_000_000,
    data: { join: '' },
    hmacSignatureSecret: 'of a test',
    hmacKeySignatureSecret: 'of a test as well',
  });
  const attempt = { email: 'a@example.com', referredBy: null, idempotencyKey: 'key-1' };
  const refusal = { detail: 'A check is needed.', challenge };

  /** Refuses that many times, and records the calls. */
  function refuse(
    times: number,
    body: unknown = refusal,
  ): { proofs: (string | null)[]; keys: (string | null)[] } {
    const seen: ReturnType<typeof refuse> = { proofs: [], keys: [] };
    answer = async ({ headers }) => {
      const sent = new Headers(headers);
      seen.proofs.push(sent.get('x-proof'));
      seen.keys.push(sent.get('idempotency-key'));
      return seen.proofs.length > times
        ? Response.json(MEMBER, { status: 201 })
        : Response.json(body, { status: 428 });
    };
    return seen;
  }

  test('is sent again, under the same key, with what solves the challenge', async () => {
    const seen = refuse(1);
    const onProof = vi.fn();
    expect(await joinWaitlist(attempt, { onProof })).toEqual(MEMBER);
    expect(onProof).toHaveBeenCalledTimes(1);
    expect(seen.keys).toEqual(['key-1', 'key-1']);
    expect(seen.proofs[0]).toBeNull();
    const payload = JSON.parse(atob(seen.proofs[1] ?? ''));
    expect(payload.challenge).toEqual(challenge);
    expect(payload.solution.counter).toBe(3);
  });

  test('has one fresh try when the challenge expired on the way, and no more', async () => {
    expect(refuse(2).proofs.length).toBe(0);
    expect(await joinWaitlist(attempt)).toEqual(MEMBER);
    const seen = refuse(9);
    expect(await failureOf(joinWaitlist(attempt))).toMatchObject({
      status: 428,
      message: 'A check is needed.',
    });
    expect(seen.proofs.length).toBe(3);
  });

  test.each([
    ['nothing to solve', { detail: 'No.' }, 'No.'],
    ['a challenge that is none', { detail: 'No.', challenge: 7 }, 'No.'],
    ['an empty challenge', { challenge: {} }, /does not run in this browser/],
    [
      'another algorithm',
      { challenge: { parameters: { ...challenge.parameters, algorithm: 'ROT13' } } },
      /not run/,
    ],
  ])('fails with a sentence where there is %s', async (_what, body, message) => {
    const seen = refuse(9, body);
    expect(await failureOf(joinWaitlist(attempt))).toMatchObject({
      message: expect.stringMatching(message),
    });
    expect(seen.proofs.length).toBe(1);
  });

  test('fails with a sentence when the device is too slow', async () => {
    const hard = { ...challenge.parameters, keyPrefix: 'f'.repeat(32) };
    refuse(9, { challenge: { parameters: hard } });
    const now = vi.spyOn(performance, 'now');
    let passed = 0;
    now.mockImplementation(() => (passed += 5_000));
    expect(await failureOf(joinWaitlist(attempt))).toMatchObject({
      message: expect.stringMatching(/took too long on this device/),
    });
    vi.restoreAllMocks();
  });
});
