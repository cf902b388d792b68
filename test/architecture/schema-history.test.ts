import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readCommittedSchemas } from '../../scripts/schema/committed-schemas.ts';
import {
  BASELINE,
  isMerged,
  LAST_MERGED,
  readSchema,
  type Schema,
} from '../../server/db/schema/read-schema.ts';

/** Its comments were edited when it was on main already. */
const EDITED = BASELINE;
const ADVICE = 'run: npm run schema';

const own = readSchema();
const linesOf = ({ changes, functions }: Omit<Schema, 'history'>) =>
  [...changes.filter(({ name }) => !isMerged(name)), { name: 'functions', ...functions }].map(
    ({ name, hash }) => `${name} ${hash}`,
  );

test('the history has each change once, as it is, and ends with the functions as they are', () => {
  const names = own.history.map((line) => line.split(' ')[0] ?? '');
  const changes = names.filter((name) => name !== 'functions').sort();
  expect(changes, ADVICE).toEqual([EDITED, ...own.changes.map(({ name }) => name)]);
  expect(own.history, `restore an edited change, or ${ADVICE}`).toEqual(
    expect.arrayContaining(linesOf(own)),
  );
  expect(own.history[names.lastIndexOf('functions')], ADVICE).toBe(linesOf(own).at(-1));
});

test('the history has what each commit had, and only grew', () => {
  const committed = readCommittedSchemas();
  expect(committed.length).toBeGreaterThan(0);
  for (const schema of committed) {
    expect(own.history, ADVICE).toEqual(expect.arrayContaining(linesOf(schema)));
    expect(own.history.slice(0, schema.history.length)).toEqual(schema.history);
  }
});

test('a line of before each change is stored for the test that brings it up to date', () => {
  const before = [LAST_MERGED, ...own.changes.map(({ name }) => name)].slice(0, -1);
  const missing = before.filter((name) => !existsSync(`test/fixtures/states/${name}/line.backup`));
  expect(missing, ADVICE).toEqual([]);
});
