import { expect, test } from 'vitest';
import { Problem } from '../../problem.ts';
import { decideWithRetry } from './join-retry.ts';

type Join = { name: string; idempotencyKey: string | null };
const ann = { name: 'ann', idempotencyKey: 'k1' };
const bob = { name: 'bob', idempotencyKey: null };
const eve = { name: 'eve', idempotencyKey: 'k2' };

function databaseError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/**
 * Decides by name, after throwing the given errors, one per call. Records the names of each call.
 */
function decider(errors: (Error | undefined)[], refused?: { name: string; error: Error }) {
  const calls: string[][] = [];
  const decide = async (joins: readonly Join[]): Promise<(string | Problem)[]> => {
    calls.push(joins.map(({ name }) => name));
    const error = errors.shift();
    if (error) throw error;
    if (refused && joins.some(({ name }) => name === refused.name)) throw refused.error;
    return joins.map(({ name }) => `${name} joined`);
  };
  return { calls, decide };
}

const outcomes = (answers: (string | Problem)[]) =>
  answers.map((answer) => (answer instanceof Problem ? answer.code : answer));

test('one that the database cannot take does not fail the others', async () => {
  const { decide, calls } = decider([], { name: 'bob', error: databaseError('23514') });
  expect(outcomes(await decideWithRetry([ann, bob, eve], decide))).toEqual([
    'ann joined',
    'unavailable',
    'eve joined',
  ]);
  expect(calls).toEqual([['ann', 'bob', 'eve'], ['ann'], ['bob'], ['eve']]);
});

test.each(['40001', '40P01', '55P03'])('all join at the second try after %s', async (code) => {
  const { decide } = decider([databaseError(code)]);
  expect(outcomes(await decideWithRetry([ann, bob], decide))).toEqual(['ann joined', 'bob joined']);
});

test.each(['ECONNRESET', 'EPIPE', '57P01', '08006', '40003'])(
  'after %s, when the batch may be written, only those with a key are tried again',
  async (code) => {
    const { decide, calls } = decider([databaseError(code)]);
    expect(outcomes(await decideWithRetry([ann, bob, eve], decide))).toEqual([
      'ann joined',
      'unavailable',
      'eve joined',
    ]);
    expect(calls[1]).toEqual(['ann', 'eve']);
  },
);

test('a database that stays away is called twice and no more', async () => {
  const gone = () => databaseError('ECONNREFUSED');
  const { decide, calls } = decider([gone(), gone(), gone()]);
  expect(outcomes(await decideWithRetry([ann, bob], decide))).toEqual([
    'unavailable',
    'unavailable',
  ]);
  expect(calls).toHaveLength(2);
});

test('a connection that breaks while each is tried alone ends the trying', async () => {
  const { decide, calls } = decider([databaseError('23514'), databaseError('ECONNRESET')]);
  expect(outcomes(await decideWithRetry([ann, bob, eve], decide))).toEqual([
    'unavailable',
    'unavailable',
    'unavailable',
  ]);
  expect(calls).toHaveLength(2);
});
