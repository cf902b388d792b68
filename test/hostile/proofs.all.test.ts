/** Hostile text as a proof of work, and in every part of one: always 428 with a new challenge. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProofChallenge } from '../../contract/schemas.ts';
import { openProofs } from '../../server/guard/proof/proofs.ts';
import { Problem } from '../../server/problem.ts';
import { encodeProof, solve } from '../http/raised-risk.ts';
import { isLong } from '../support/test-form.ts';
import { anyText } from './api-arbitraries.ts';
import { asHeader, HOSTILE_STRINGS } from './hostile-strings.ts';

const RUNS = isLong ? 20_000 : 500;
const JOIN = { idempotencyKey: 'key' };

const proofs = openProofs({ secretKey: 'the secret key of these tests' });

async function refusalOf(header: unknown): Promise<Problem> {
  const error = await proofs
    .admitProven(JOIN, header, async () => 'taken')
    .catch((cause: unknown) => cause);
  expect([header, error]).toEqual([header, expect.any(Problem)]);
  expect(error).toMatchObject({
    code: 'proof_required',
    detail: expect.stringMatching(/^[A-Z].*[.]$/),
  });
  return error as Problem;
}

test('no hostile text is accepted as a proof, plain or in Base64', async () => {
  for (const text of HOSTILE_STRINGS) {
    await refusalOf(asHeader(text));
    await refusalOf(Buffer.from(text).toString('base64'));
    await refusalOf(encodeProof({ challenge: text, solution: text }));
  }
});

test('no hostile value in any part of a solved challenge is accepted', {
  timeout: 600_000,
}, async () => {
  const { fields } = await refusalOf(undefined);
  const header = await solve(fields.challenge as ProofChallenge);
  const solved = JSON.parse(Buffer.from(header, 'base64').toString());
  expect(await proofs.admitProven(JOIN, header, async () => 'taken')).toBe('taken');
  const paths = pathsOf(solved).filter((path) => path.join('.') !== 'solution.time');
  const anyValue = fc.oneof(
    anyText,
    fc.double(),
    fc.integer(),
    fc.jsonValue(),
    fc.constantFrom(null, true, [], {}),
  );
  const hostile = fc.asyncProperty(fc.constantFrom(...paths), anyValue, async (path, value) => {
    const text = JSON.stringify(value) ?? 'null';
    const changed = replaceAt(solved, path, JSON.parse(text));
    // The counter is not verified: the derived key alone proves the work.
    if (
      JSON.stringify(changed) === JSON.stringify(solved) ||
      isOtherCounter(path, JSON.parse(text))
    )
      return;
    await refusalOf(encodeProof(changed));
  });
  await fc.assert(hostile, { numRuns: RUNS });
});

type Path = readonly string[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([name, field]) => pathsOf(field, [...path, name])),
  ];
}

function replaceAt(value: unknown, [name, ...rest]: Path, put: unknown): unknown {
  if (name === undefined) return put;
  const fields = value as Record<string, unknown>;
  return { ...fields, [name]: replaceAt(fields[name], rest, put) };
}

function isOtherCounter(path: Path, value: unknown): boolean {
  return path.join('.') === 'solution.counter' && Number.isInteger(value) && (value as number) >= 0;
}
