import { expect, test } from 'vitest';
import { replaceRows, replaceTables } from './report-rows.ts';

const REPORT = `# Speed

Words above.

| part | seconds |
| --- | ---: |
| one | 1 |
| two | 2 |

## one

Words of one.

| joins | a second |
| --- | ---: |
| few | 10 |

Words below.

## two

| joins | a second |
| --- | ---: |
| few | 20 |
`;

test('rows of a name take the place of its older rows, and new ones come last', () => {
  const replaced = replaceRows(REPORT, 'part', 'one', [
    ['one', '3'],
    ['one', '4'],
  ]);
  expect(replaced).toBe(REPORT.replace('| one | 1 |', '| one | 3 |\n| one | 4 |'));
  const added = replaceRows(REPORT, 'part', 'three', [['three', '5']]);
  expect(added).toBe(REPORT.replace('| two | 2 |', '| two | 2 |\n| three | 5 |'));
  expect(() => replaceRows(REPORT, 'nothing', 'one', [])).toThrow('no table of nothing');
});

test('the tables of a section are replaced, and its words stay', () => {
  const section = '## one\n\nOther words.\n\n| joins | a second |\n| --- | ---: |\n| many | 90 |';
  expect(replaceTables(REPORT, section)).toBe(REPORT.replace('| few | 10 |', '| many | 90 |'));
  expect(() => replaceTables(REPORT, '## one\n\nNo table.')).toThrow('needs 0 tables');
});

test('a section that the report does not have yet is added whole', () => {
  const section = '## three\n\nWords.\n\n| joins |\n| --- |\n| some |';
  expect(replaceTables(REPORT, section)).toBe(`${REPORT}\n${section}\n`);
});
