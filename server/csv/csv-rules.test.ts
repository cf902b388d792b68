import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvHeader, csvLine, withoutGuard } from './csv-rules.ts';

test('lines end with CRLF, and cells with separators are quoted', () => {
  expect(csvLine(['a', 1, true, null])).toBe('a,1,true,\r\n');
  expect(csvLine(['a,b', 'say "hi"', 'two\nlines'])).toBe('"a,b","say ""hi""","two\nlines"\r\n');
});

test('another separator is quoted in its place', () => {
  expect(csvLine(['a,b', 'c;d', 1, null], ';')).toBe('a,b;"c;d";1;\r\n');
  expect(csvHeader(['a', 'b'], ';')).toBe('\uFEFFa;b\r\n');
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

test.each(['+49 170 123456', '+442079460000'])('the number %s has no guard on a label', (phone) => {
  expect(csvLine([phone])).toBe(`${phone}\r\n`);
  expect(withoutGuard(phone)).toBe(phone);
});

test('such characters inside a cell change nothing', () => {
  expect(csvLine(['a=b', 'ada@example.com'])).toBe('a=b,ada@example.com\r\n');
});

test('no two cells look alike in a file, and each is read as it was written', () => {
  expect(csvLine(["=1@x'", "'=1@x", "''=1@x", "'tis"])).toBe("'=1@x',''=1@x,'''=1@x,'tis\r\n");
  const cell = fc.string({
    unit: fc.constantFrom("'", '=', '+', ' ', ',', '"', '\n', 'a', '\uff1d'),
  });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (cells) => {
      const [read = []] = parse(csvLine(cells), { relax_column_count: true }) as string[][];
      expect(read.map(withoutGuard)).toEqual(cells);
    }),
  );
});

test('a header begins with the mark by which spreadsheets recognise UTF-8', () => {
  expect(csvHeader(['a', 'b'])).toBe('\uFEFFa,b\r\n');
});
