import { expect, test } from 'vitest';
import { csvLine } from './csv-rules.ts';

test('lines end with CRLF, and cells with separators are quoted', () => {
  expect(csvLine(['a', 1, true, null])).toBe('a,1,true,\r\n');
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines'])).toBe('"a,b","say ""hi""","two\nlines"\r\n');
});

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  ' =1',
  '\uff1d1',
  '\uff0b1',
  '\uff0d1',
  '\uff201',
])('the cell %j is not a formula', (cell) => {
  expect(csvLine([cell]).replace(/^"/, '')).toMatch(/^'/);
});

test('such characters inside a cell change nothing', () => {
  expect(csvLine(['a=b', 'ada@example.com'])).toBe('a=b,ada@example.com\r\n');
});
