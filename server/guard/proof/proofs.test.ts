import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ProofChallenge } from '../../../contract/schemas.ts';
import { isAll } from '../../../test/support/test-form.ts';
import { Problem } from '../../problem.ts';
import { openProofs, PROOF_WORK } from './proofs.ts';

const SECRET_KEY = 'the secret key of these tests';
const proofs = openProofs({ secretKey: SECRET_KEY });
const JOIN = { email: 'a@example.com', idempotencyKey: 'key-1' };

afterEach(() => void vi.useRealTimers());

/** The challenge and the sentence that the join is refused with. */
async function refusal(
  header?: unknown,
  join: { idempotencyKey: string | null } = JOIN,
  from = proofs,
) {
  const take = vi.fn(async () => 'joined');
  const problem = await from.admitProven(join, header, take).then(
    () => null,
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(Problem);
  expect(take).not.toHaveBeenCalled();
  const { code, detail, fields } = problem as Problem;
  expect(code).toBe('proof_required');
  return { detail, challenge: fields.challenge as ProofChallenge };
}

type Payload = {
  challenge: ProofChallenge;
  solution: { counter: number; derivedKey: string; time?: number };
};
const encode = (payload: unknown) => btoa(JSON.stringify(payload));

async function solve(challenge: ProofChallenge): Promise<Payload> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (solution === null) throw new Error('not solved');
  return { challenge, solution };
}

const taken = (header: unknown, join: { idempotencyKey: string | null } = JOIN, from = proofs) =>
  from.admitProven(join, header, async ({ idempotencyKey }) => idempotencyKey);

test('a solved challenge admits its join again and again, on any server with its key', async () => {
  const header = encode(await solve((await refusal()).challenge));
  expect(await taken(header)).toBe('key-1');
  expect(await taken(header, JOIN, openProofs({ secretKey: SECRET_KEY }))).toBe('key-1');
});

test('a proof is refused for another join, and by a server with another key', async () => {
  const header = encode(await solve((await refusal()).challenge));
  expect((await refusal(header, { idempotencyKey: 'key-2' })).detail).toContain('another');
  await refusal(header, { idempotencyKey: null });
  await refusal(header, JOIN, openProofs({ secretKey: 'another' }));
});

test('a proof is the idempotency key of a join without one; no client can choose it', async () => {
  const join = { idempotencyKey: null };
  const { challenge } = await refusal(undefined, join);
  const header = encode(await solve(challenge));
  expect(await taken(header, join)).toBe(`proof ${challenge.parameters.nonce}`);
  const conflict = new Problem('idempotency_conflict', 'Used for another request.');
  const again = proofs.admitProven(join, header, () => Promise.reject(conflict));
  expect(await again.catch((error: unknown) => error)).toMatchObject({ code: 'proof_required' });
});

test('errors of the join itself pass through', async () => {
  const header = encode(await solve((await refusal()).challenge));
  const conflict = new Problem('idempotency_conflict', 'Used for another request.');
  await expect(proofs.admitProven(JOIN, header, () => Promise.reject(conflict))).rejects.toBe(
    conflict,
  );
});

test('a proof is valid for ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2030-01-01T12:00:00Z') });
  const header = encode(await solve((await refusal()).challenge));
  vi.setSystemTime('2030-01-01T12:10:00Z');
  expect(await taken(header)).toBe('key-1');
  vi.setSystemTime('2030-01-01T12:10:01Z');
  expect((await refusal(header)).detail).toContain('expired');
});

test.runIf(isAll)(
  'each challenge is different, and takes between the minimum and maximum tries',
  async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, async () => (await refusal()).challenge),
    );
    expect(new Set(made.map(({ parameters }) => parameters.nonce)).size).toBe(20);
    const solved = await Promise.all(made.slice(0, 3).map(solve));
    for (const { solution } of solved) {
      expect(solution.counter).toBeGreaterThanOrEqual(PROOF_WORK.minTries);
      expect(solution.counter).toBeLessThan(PROOF_WORK.maxTries);
    }
  },
);

describe('a tampered proof is refused', async () => {
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
    ['an extra parameter', withParameters({ free: true })],
    [
      'the prefix and zeros',
      { challenge, solution: { ...solution, derivedKey: half + '0'.repeat(32) } },
    ],
    [
      'an upper-case key',
      { challenge, solution: { ...solution, derivedKey: solution.derivedKey.toUpperCase() } },
    ],
    ['a truncated key', { challenge, solution: { ...solution, derivedKey: half } }],
    ['a negative counter', { challenge, solution: { ...solution, counter: -1 } }],
    ['a counter as a string', { challenge, solution: { ...solution, counter: '7' } }],
    ['no solution', { challenge }],
    ['no challenge', { solution }],
    ['null', null],
    ['a list', [challenge, solution]],
  ])('%s', async (_name, payload) => {
    await refusal(encode(payload));
  });

  test.each<[name: string, header: unknown]>([
    ['an empty header', ''],
    ['invalid Base64', '{"challenge":'],
    ['Base64 of something other than JSON', btoa('challenge')],
    ['the JSON itself', JSON.stringify({ challenge, solution })],
    [
      'two values in one header',
      `${encode({ challenge, solution })}, ${encode({ challenge, solution })}`,
    ],
    ['a valid proof with a suffix', `${encode({ challenge, solution })}====`],
    ['two headers', [encode({ challenge, solution })]],
    ['prototype keys', btoa('{"__proto__":{"challenge":{}},"constructor":1}')],
    ['a very long string', btoa(JSON.stringify('x'.repeat(12_000)))],
    ['deep nesting', btoa('['.repeat(6_000))],
    ['bytes that are not UTF-8', btoa('\u00ff\u00fe\u0000')],
  ])('%s', async (_name, header) => {
    await refusal(header);
  });
});
