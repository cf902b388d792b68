import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ProofChallenge } from '../../contract/schemas.ts';
import { Problem } from '../problem.ts';
import { PROOF_WORK } from './proof-rules.ts';
import { openProofs } from './proofs.ts';

const SECRET_KEY = 'the secret key of these tests';
const proofs = openProofs({ secretKey: SECRET_KEY });
const JOIN = { email: 'a@example.com', idempotencyKey: 'key-1' };

afterEach(() => void vi.useRealTimers());

/** The challenge that the join is refused with, and the sentence beside it. */
async function refusal(header?: unknown, join: { idempotencyKey: string | null } = JOIN, from = proofs) {
  const take = vi.fn(async () => 'joined');
  const problem = await from.takeProven(join, header, take).then(
    () => null,
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(Problem);
  expect(take).not.toHaveBeenCalled();
  const { code, detail, more } = problem as Problem;
  expect(code).toBe('proof_required');
  return { detail, challenge: more.challenge as ProofChallenge };
}

type Payload = { challenge: ProofChallenge; solution: { counter: number; derivedKey: string; time?: number } };
const encode = (payload: unknown) => btoa(JSON.stringify(payload));

async function solve(challenge: ProofChallenge): Promise<Payload> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (solution === null) throw new Error('not solved');
  return { challenge, solution };
}

const taken = (header: unknown, join: { idempotencyKey: string | null } = JOIN, from = proofs) =>
  from.takeProven(join, header, async ({ idempotencyKey }) => idempotencyKey);

test('a challenge that is solved takes the join that it was made for, on every server of the same key, as often as it is sent', async () => {
  const header = encode(await solve((await refusal()).challenge));
  expect(await taken(header)).toBe('key-1');
  expect(await taken(header, JOIN, openProofs({ secretKey: SECRET_KEY }))).toBe('key-1');
});

test('it is refused for another join, and by a server of another key', async () => {
  const header = encode(await solve((await refusal()).challenge));
  expect((await refusal(header, { idempotencyKey: 'key-2' })).detail).toContain('another');
  await refusal(header, { idempotencyKey: null });
  await refusal(header, JOIN, openProofs({ secretKey: 'another' }));
});

test('it stands for the key of a join that has none, which no client can choose', async () => {
  const join = { idempotencyKey: null };
  const { challenge } = await refusal(undefined, join);
  const header = encode(await solve(challenge));
  expect(await taken(header, join)).toBe(`proof ${challenge.parameters.nonce}`);
  const conflict = new Problem('idempotency_conflict', 'Used for another request.');
  const again = proofs.takeProven(join, header, () => Promise.reject(conflict));
  expect(await again.catch((error: unknown) => error)).toMatchObject({ code: 'proof_required' });
});

test('what the join itself is refused for is told as it is', async () => {
  const header = encode(await solve((await refusal()).challenge));
  const conflict = new Problem('idempotency_conflict', 'Used for another request.');
  await expect(proofs.takeProven(JOIN, header, () => Promise.reject(conflict))).rejects.toBe(conflict);
});

test('it is good for ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T12:00:00Z') });
  const header = encode(await solve((await refusal()).challenge));
  vi.setSystemTime('2030-01-01T12:10:00Z');
  expect(await taken(header)).toBe('key-1');
  vi.setSystemTime('2030-01-01T12:10:01Z');
  expect((await refusal(header)).detail).toContain('expired');
});

test('every challenge is another one, and none is solved in much less or much more than its time', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, async () => (await refusal()).challenge));
  expect(new Set(made.map(({ parameters }) => parameters.nonce)).size).toBe(20);
  const solved = await Promise.all(made.slice(0, 3).map(solve));
  for (const { solution } of solved) {
    expect(solution.counter).toBeGreaterThanOrEqual(PROOF_WORK.fewestTries);
    expect(solution.counter).toBeLessThan(PROOF_WORK.mostTries);
  }
});

describe('a proof that was tampered with is refused', async () => {
  const { challenge, solution } = await solve((await refusal()).challenge);
  const other = await solve((await refusal()).challenge);
  const { parameters } = challenge;
  const withParameters = (changed: object) => ({
    challenge: { ...challenge, parameters: { ...parameters, ...changed } },
    solution,
  });
  const half = solution.derivedKey.slice(0, 32);

  test.each<[name: string, payload: unknown]>([
    ['the solution of another challenge', { challenge, solution: other.solution }],
    [
      'the signature of another challenge',
      { challenge: { ...challenge, signature: other.challenge.signature }, solution },
    ],
    ['no signature', { challenge: { parameters }, solution }],
    ['an empty signature', { challenge: { ...challenge, signature: '' }, solution }],
    ['a signature of zeros', { challenge: { ...challenge, signature: '0'.repeat(64) }, solution }],
    ['a lower cost', withParameters({ cost: 1 })],
    ['a shorter prefix', withParameters({ keyPrefix: '00' })],
    ['no prefix', withParameters({ keyPrefix: '' })],
    ['another algorithm', withParameters({ algorithm: 'SHA-256' })],
    ['a later expiry', withParameters({ expiresAt: parameters.expiresAt + 3600 })],
    ['an expiry of zero', withParameters({ expiresAt: 0 })],
    ['another join', withParameters({ data: { join: '' } })],
    [
      'the key signature of another challenge',
      withParameters({ keySignature: other.challenge.parameters.keySignature }),
    ],
    ['another nonce', withParameters({ nonce: other.challenge.parameters.nonce })],
    ['one more parameter', withParameters({ free: true })],
    ['the prefix and nothing after it', { challenge, solution: { ...solution, derivedKey: half + '0'.repeat(32) } }],
    ['a key in capitals', { challenge, solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() } }],
    ['a key cut short', { challenge, solution: { ...solution, derivedKey: half } }],
    ['a counter that is none', { challenge, solution: { ...solution, counter: -1 } }],
    ['a counter in words', { challenge, solution: { ...solution, counter: '7' } }],
    ['no solution', { challenge }],
    ['no challenge', { solution }],
    ['null', null],
    ['a list', [challenge, solution]],
  ])('%s', async (_name, payload) => {
    await refusal(encode(payload));
  });

  test.each<[name: string, header: unknown]>([
    ['nothing', ''],
    ['no Base64', '{"challenge":'],
    ['Base64 of no JSON', btoa('challenge')],
    ['the JSON itself', JSON.stringify({ challenge, solution })],
    ['two headers in one', `${encode({ challenge, solution })}, ${encode({ challenge, solution })}`],
    ['the same and something after it', `${encode({ challenge, solution })}====`],
    ['two headers', [encode({ challenge, solution })]],
    ['keys of the prototype', btoa('{"__proto__":{"challenge":{}},"constructor":1}')],
    ['very much', btoa(JSON.stringify('x'.repeat(12_000)))],
    ['very deep', btoa('['.repeat(6_000))],
    ['bytes of no text', btoa('\u00ff\u00fe\u0000')],
  ])('%s', async (_name, header) => {
    await refusal(header);
  });
});
