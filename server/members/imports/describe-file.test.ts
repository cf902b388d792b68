import { describe, expect, test } from 'vitest';
import { readCsv } from '../../csv/read-csv.ts';
import { Problem } from '../../problem.ts';
import { describeFile } from './describe-file.ts';

/** In pieces of one and of many bytes: every character and line end is cut somewhere. */
const openers = (bytes: Uint8Array) => [
  async function* () {
    yield bytes;
  },
  async function* () {
    for (const byte of bytes) yield Uint8Array.of(byte);
  },
];

async function readAll(bytes: Uint8Array): Promise<(readonly string[])[][]> {
  return await Promise.all(
    openers(bytes).map(async (open) => {
      const records: (readonly string[])[] = [];
      for await (const { cells } of readCsv(open(), await describeFile(open))) records.push(cells);
      return records;
    }),
  );
}

const refusalOf = (bytes: Uint8Array | string) =>
  describeFile(openers(Buffer.from(bytes as string))[0] as () => AsyncIterable<Uint8Array>).then(
    () => null,
    (error: unknown) => (error instanceof Problem ? error.detail : error),
  );

const PLAIN = { encoding: 'utf-8', separator: ',' } as const;
async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

const TEXT = 'Email;Naïve\r\nada@example.com;"a; ""b""\r\nc"\r\n';
const RECORDS = [
  ['Email', 'Naïve'],
  ['ada@example.com', 'a; "b"\nc'],
];
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16 little end first', Buffer.from(TEXT, 'utf16le')],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16 big end first', utf16be(`\ufeff${TEXT}`)],
  ['Windows-1252', Buffer.from(TEXT, 'latin1')],
])('%s is detected by its bytes', async (_name, bytes) => {
  expect(await readAll(bytes)).toEqual([RECORDS, RECORDS]);
});

test('the euro sign of Windows-1252 is one', async () => {
  const bytes = Buffer.concat([Buffer.from('a,b\n'), Buffer.of(0x80), Buffer.from(',1\n')]);
  expect((await readAll(bytes))[0]?.[1]).toEqual(['€', '1']);
});

test.each([',', ';', '\t'])('the separator %j is found beside the others in cells', async (one) => {
  const rows = [
    ['email', 'note', 'x'],
    ['a@b.example', '"1,2;3\t4"', 'y'],
  ];
  const file = rows.map((row) => row.join(one)).join('\n');
  expect((await readAll(Buffer.from(file)))[0]?.[1]).toEqual(['a@b.example', '1,2;3\t4', 'y']);
});

test('a file of addresses alone has no header', async () => {
  const [open] = openers(Buffer.from('ada@example.com\nben@example.com\n'));
  expect(await describeFile(open as () => AsyncIterable<Uint8Array>)).toMatchObject({
    has_header: false,
    columns: [{ name: 'Column 1', suggested: 'email', samples: expect.any(Array) }],
  });
});

const suggestedFor = async (text: string) => {
  const { columns } = await describeFile(() => bytesOf(text));
  return Object.fromEntries(columns.map(({ name, suggested }) => [name, suggested]));
};

test('a first line that names the separator is no header', async () => {
  const text = 'sep=|\r\nEmail|Name\r\nruth@a.example|Ruth, R.\r\n';
  const records: unknown[] = [];
  for await (const record of readCsv(bytesOf(text), await describeFile(() => bytesOf(text))))
    records.push(record);
  expect(records).toEqual([
    { line: 2, cells: ['Email', 'Name'] },
    { line: 3, cells: ['ruth@a.example', 'Ruth, R.'] },
  ]);
  expect(await suggestedFor('sep=;\nEmail;Joined\nruth@a.example;2026-11-01\n')).toEqual({
    Email: 'email',
    Joined: 'joined_at',
  });
  expect(await refusalOf(`sep=,\nemail\n${'a\n'.repeat(200_000)}`)).toBeNull();
});

test.each([
  ['Usuario de Instagram,Correo electrónico\n@luz,luz@a.example\n', 'Correo electrónico'],
  ['@,Contact\n@sol,\n@luz,luz@a.example\n', 'Contact'],
  ['Address,Reach me at\n12 High Street,ada@a.example\n', 'Reach me at'],
  ['Referred by,E-Mail-Adresse\nben@a.example,ada@a.example\n', 'E-Mail-Adresse'],
])('the addresses of %j are in %j', async (text, name) => {
  expect((await suggestedFor(text))[name]).toBe('email');
});

test('columns are recognised by their names, also with accents, and others are not', async () => {
  const german = 'Zeitstempel,E-Mail-Adresse,Empfohlen von,Bestätigt am,LEID\n,a@b.example,,,1\n';
  expect(Object.values(await suggestedFor(german))).toEqual([
    'joined_at',
    'email',
    'referrer',
    'confirmed_at',
    null,
  ]);
});

test('lines are counted over cells of several lines and empty lines', async () => {
  const lines: number[] = [];
  for await (const { line } of readCsv(bytesOf('a\n"x\n\ny"\n\nz\n'), PLAIN)) lines.push(line);
  expect(lines).toEqual([1, 2, 6]);
});

describe('what is refused, in a sentence', () => {
  const filled = (rows: number) => Array.from({ length: rows }, (_, row) => `r${row}@a.example`);
  test.each([
    [
      'a quote that is never closed',
      'email,x\na@b.example,"oops\nb@b.example,1\n',
      /line 2.*never closed/,
    ],
    ['a line of 10 MB', `email\n${'x'.repeat(10_000_000)}\n`, /Line 2 is longer than 64 KB/],
    [
      '1,000 columns',
      `${Array.from({ length: 1000 }, (_, n) => `c${n}`).join(',')}\n1\n`,
      /1000 columns/,
    ],
    ['text after a quote', 'email,x\n"a"b,1\n', /line 2, text follows/],
    ['a workbook', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]), /workbook/],
    ['bytes of no text', Buffer.from([1, 2, 3, 0x81, 0xff, 0xfe, 7]), /neither UTF-8/],
    ['nothing but a header', 'email,name\n', /no rows/],
    ['white lines', '\n\n\n', /nothing in this file/],
    [
      'a list of one row too many',
      `email\n\n"a\nb"\n${'a\n'.repeat(200_000)}`,
      /^The file has more than 200,000 rows, the most that a list has/,
    ],
    ['UTF-8 that breaks off', Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xc3]), /not to its end/],
  ])('%s', async (_name, file, sentence) => {
    expect(await refusalOf(file)).toMatch(sentence);
  });

  test('a quote that opens beyond the first rows is refused when it is read', async () => {
    const text = ['email', ...filled(5_000), '"open', ...filled(5_000)].join('\n');
    await expect(async () => {
      for await (const _record of readCsv(bytesOf(text), PLAIN));
    }).rejects.toThrow(/^Line 5002 is longer than 64 KB/);
  });
});

test('lines within a cell, empty lines and the header are no rows of a long list', async () => {
  const lines = '"a\n\n\n"\n'.repeat(100_000);
  expect(await refusalOf(`email\n${lines}${'\n'.repeat(300_000)}${lines}`)).toBeNull();
  expect(await refusalOf(`email\n${'a\n'.repeat(199_999)}a`)).toBeNull();
});

test('samples are harmless to show: no NUL, no controls, and short', async () => {
  const [open] = openers(Buffer.from(`email,x\na@b.example,"\0\x1b[31m${'y'.repeat(500)}"\n`));
  const { columns } = await describeFile(open as () => AsyncIterable<Uint8Array>);
  expect(columns[1]?.samples[0]).toMatch(/^\[31my{70,77}$/);
});
