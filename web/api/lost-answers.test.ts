import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { joinWaitlist } from './waitlist.ts';

const MEMBER = { id: 'some-id' };
const attempt = { email: 'a@example.com', referredBy: null, idempotencyKey: 'key-1' };

type Answer = (init: RequestInit) => Promise<Response>;

const badGateway: Answer = async () => new Response('<h1>Bad gateway</h1>', { status: 502 });
const brokenConnection: Answer = () => Promise.reject(new TypeError('network'));
const joined: Answer = async () => Response.json(MEMBER, { status: 201 });
const refused: Answer = async () => Response.json({ detail: 'Too many.' }, { status: 503 });
const silence: Answer = ({ signal }) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** One join, whose calls get these answers in order. */
async function join(...answers: Answer[]): Promise<{ outcome: unknown; keys: (string | null)[] }> {
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get('idempotency-key'));
    return answers[keys.length - 1]?.(init) ?? Promise.reject(new Error('one call too many'));
  });
  const outcome = joinWaitlist(attempt).catch((error) => error);
  await vi.runAllTimersAsync();
  return { outcome: await outcome, keys };
}

test.each([
  ['a proxy lost the answer', badGateway],
  ['the connection broke', brokenConnection],
])('a join is sent again, under the same key, when %s', async (_how, lost) => {
  expect(await join(lost, joined)).toEqual({ outcome: MEMBER, keys: ['key-1', 'key-1'] });
});

test('a join whose answer is lost twice fails', async () => {
  const { outcome, keys } = await join(badGateway, badGateway);
  expect(outcome).toMatchObject({ status: 502 });
  expect(keys).toHaveLength(2);
});

test.each([
  ['the server refused it', refused],
  ['its time ran out', silence],
])('a join is not sent again when %s', async (_why, answer) => {
  const { outcome, keys } = await join(answer);
  expect(outcome).toBeInstanceOf(ApiError);
  expect(keys).toHaveLength(1);
});
