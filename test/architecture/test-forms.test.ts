/** What `npm test` runs of the tests that have a longer form. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WITNESSES } from '../support/short-form.ts';
import { readTexts } from './source-files.ts';

const BOTH_ENGINES = /import \{[^}]*\bengines\b[^}]*\} from '[^']*\/support\/engines\.ts'/;

test('the tests on both engines are those that CONTRIBUTING.md lists', () => {
  const text = readFileSync('CONTRIBUTING.md', 'utf8');
  const section = text.split(/^##+ /m).find((part) => part.startsWith('On both engines')) ?? '';
  const listed = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    Array.from(cell.matchAll(/`([^`]+)`/g), ([, path = '']) => path),
  );
  const onBoth = readTexts(['*.test.ts'])
    .filter((file) => BOTH_ENGINES.test(file.text))
    .map(({ path }) => path);
  expect(Math.min(listed.length, onBoth.length)).toBeGreaterThan(10);
  expect(onBoth.filter((path) => !listed.some((start) => path.startsWith(start)))).toEqual([]);
  expect(listed.filter((start) => !onBoth.some((path) => path.startsWith(start)))).toEqual([]);
});

test('each find that is replayed names a test of the file beside it', () => {
  const files = readTexts(['*.finds.json']);
  expect(files.length).toBeGreaterThan(1);
  for (const { path, text } of files) {
    const tests = readFileSync(path.replace(/\.finds\.json$/, '.test.ts'), 'utf8');
    for (const title of Object.keys(JSON.parse(text))) expect(tests, path).toContain(`'${title}'`);
  }
});

test('each witness of a fault is a test file', () => {
  expect(WITNESSES.length).toBeGreaterThan(5);
  expect(WITNESSES.filter((name) => !existsSync(`test/faults/${name}.test.ts`))).toEqual([]);
});
