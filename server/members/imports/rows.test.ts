import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findCircles } from './compare-rules.ts';
import { readMoment } from './moment-rules.ts';
import { readRow } from './row-rules.ts';

const now = new Date('2026-06-01T00:00:00Z');
const read = (text: string, dates?: 'day_first' | 'month_first') => {
  const moment = readMoment(text, { dates, now });
  return moment instanceof Date ? moment.toISOString().replace('.000Z', 'Z') : moment;
};

test.each([
  ['2024-02-03', '2024-02-03T00:00:00Z'],
  ['2024-02-03 04:05', '2024-02-03T04:05:00Z'],
  ['2024-02-03T04:05:06.789Z', '2024-02-03T04:05:06.789Z'],
  ['2024-02-03T04:05:06.78901+00:00', '2024-02-03T04:05:06.789Z'],
  ['2024-02-03 04:05:06 UTC', '2024-02-03T04:05:06Z'],
  ['2024-02-03 04:05:06 +0000 UTC', '2024-02-03T04:05:06Z'],
  ['2025-07-15T14:29:23-04:00', '2025-07-15T18:29:23Z'],
  ['2024-02-03 04:05:06.5+00', '2024-02-03T04:05:06.500Z'],
  ['2025/11/02 5:14:02 PM GMT+1', '2025-11-02T16:14:02Z'],
  ['2025/11/04 7:30:00 PM GMT-5', '2025-11-05T00:30:00Z'],
  ['2025/11/04 7:30 GMT+5:30', '2025-11-04T02:00:00Z'],
  ['2024-02-03-05', 'bad_date'],
  ['2024-02-03_04-05-06', '2024-02-03T04:05:06Z'],
  ['3.2.2024 4:05', '2024-02-03T04:05:00Z'],
  ['Feb 3, 2024 4:05 PM', '2024-02-03T16:05:00Z'],
  ['2025/08/02 5:14:02 p.\u00a0m. EST', '2025-08-02T22:14:02Z'],
  ['2025/08/02 5:14:02 PM XYZ', 'bad_date'],
  ['Mon Nov 02 2025 17:14:02 GMT+0100 (Central European Standard Time)', '2025-11-02T16:14:02Z'],
  ['2 de enero de 2025 a las 17:14', '2025-01-02T17:14:00Z'],
  ['Nov 2nd, 2025 at 5:14\u202fPM', '2025-11-02T17:14:00Z'],
  ['2-dic-25', '2025-12-02T00:00:00Z'],
  ['02.11.25', '2025-11-02T00:00:00Z'],
  ['11/25/25 12:14 AM', '2025-11-25T00:14:00Z'],
  ['25/11/2025', '2025-11-25T00:00:00Z'],
  ['2/2/2025', '2025-02-02T00:00:00Z'],
  ['45689,718', '2025-02-01T17:13:55.200Z'],
  ['1706933106', '2024-02-03T04:05:06Z'],
  ['1706933106000', '2024-02-03T04:05:06Z'],
  ['2026-06-01T20:00:00Z', '2026-06-01T00:00:00Z'],
  ['2/3/2024', 'ambiguous_date'],
  ['2024-02-30', 'bad_date'],
  ['2024-13-01', 'bad_date'],
  ['1970-01-01', 'bad_date'],
  ['2024-02-03 25:00', 'bad_date'],
  ['2024-02-03 10:75', 'bad_date'],
  ['2024-02-03 10:15:75', 'bad_date'],
  ['2024-02-03 13:15 PM', 'bad_date'],
  ['2024-02-03_25-05-06', 'bad_date'],
  ['2024-02-03_04-05', 'bad_date'],
  ['yesterday', 'bad_date'],
  ['', 'bad_date'],
  ['2026-07-01', 'future_date'],
])('%j is %s', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test.each([
  ['en-US', 'month_first'],
  ['en-GB', 'day_first'],
  ['de-DE', 'day_first'],
  ['de-AT', 'day_first'],
  ['es-ES', 'day_first'],
  ['es-MX', 'day_first'],
] as const)('a moment is read in all forms of %s', (locale, dates) => {
  for (const dateStyle of ['full', 'long', 'medium', 'short'] as const)
    for (const timeZone of ['UTC', 'Europe/Berlin', 'America/New_York'])
      for (let month = 0; month < 12; month += 1) {
        const at = new Date(Date.UTC(2025, month, 3, 17, 14, 5));
        const options = { dateStyle, timeStyle: 'long', timeZone } as const;
        const text = new Intl.DateTimeFormat(locale, options).format(at);
        expect(readMoment(text, { dates, now }), text).toEqual(at);
      }
});

test('2/3/2024 reads as the operator says', () => {
  expect(read('2/3/2024', 'day_first')).toBe('2024-03-02T00:00:00Z');
  expect(read('2/3/2024 1:00 PM', 'month_first')).toBe('2024-02-03T13:00:00Z');
});

type Invited = { readonly row: number; referrer: Invited | null };

function circlesIn(referrers: readonly number[]): ReadonlySet<number> {
  const rows: Invited[] = referrers.map((_, row) => ({ row, referrer: null }));
  for (const one of rows) one.referrer = rows[referrers[one.row] ?? -1] ?? null;
  return new Set([...findCircles(rows)].map(({ row }) => row));
}

test('rows in circles are found, and those that lead into one are not', () => {
  expect([...circlesIn([1, 2, 0, 0, 3, -1, 5])].sort()).toEqual([0, 1, 2]);
  expect([...circlesIn([0])]).toEqual([0]);
});

test('in any file, without circles every walk ends', () => {
  const referrers = fc.array(fc.integer({ min: -1, max: 29 }), { minLength: 30, maxLength: 30 });
  fc.assert(
    fc.property(referrers, (list) => {
      const circles = circlesIn(list);
      const broken = list.map((referrer, row) => (circles.has(row) ? -1 : referrer));
      for (let start = 0; start < broken.length; start += 1) {
        let [row, steps] = [start, 0];
        while (row >= 0 && steps <= broken.length) {
          row = broken[row] ?? -1;
          steps += 1;
        }
        expect(steps).toBeLessThanOrEqual(broken.length);
      }
    }),
  );
});

const mapping = {
  columns: { email: 0, referral_code: 1, referrer: 2, referral_count: 3 },
  order: 'file',
} as const;
const row = (...cells: string[]) => readRow({ cells, line: 2 }, { mapping, width: 4, now });

test.each([
  ['=HYPERLINK("http://evil.example")', 'bad_address'],
  ['ada\0@example.com', 'hidden_in_address'],
  ['ada lovelace@example.com', 'space_in_address'],
  ['🎭@example.com', 'bad_address'],
  ['', 'no_address'],
  [`${'a'.repeat(5_000)}@example.com`, 'bad_address'],
])('the address %j is left out', (address, fault) => {
  expect(row(address, '', '', '')).toMatchObject({ fault, member: { email: null } });
});

test.each([
  'Tess Angle <tess@example.com>',
  '"Tess" <tess@example.com>',
  '<tess@example.com>',
  'mailto:tess@example.com;',
])('the address of %j is imported', (cell) => {
  expect(row(cell, '', '', '')).toMatchObject({
    fault: null,
    member: { email: 'tess@example.com' },
  });
  expect(row('a@b.example', '', cell, '')).toMatchObject({ referrer_address: 'tess@example.com' });
});

test('a formula that is an address is kept as it is: exports make it harmless', () => {
  expect(row('=1+1@example.com', '', '', '')).toMatchObject({ fault: null });
});

test('a hundred spellings of one address are one', () => {
  const identities = new Set(
    Array.from({ length: 100 }, (_, index) => {
      const typed = [...'spelling@example.com']
        .map((char, at) => ((index >> (at % 7)) & 1 ? char.toUpperCase() : char))
        .join('');
      return row(`${' '.repeat(index % 3)}${typed}`, '', '', '').email_identity;
    }),
  );
  expect([...identities]).toEqual(['spelling@example.com']);
});

test('cells may be missing at the end, and surplus ones be empty', () => {
  expect(row('a@b.example')).toMatchObject({ fault: null, referrer_key: null });
  expect(row('a@b.example', '', '', '', '', ' ')).toMatchObject({ fault: null });
  expect(row('a@b.example', '', '', '', 'more')).toMatchObject({ fault: 'too_wide' });
});

test('codes are kept in our spelling, and what cannot be stored is left out', () => {
  expect(row('a@b.example', ' abcdefgho1 ', 'x\0y', '7')).toMatchObject({
    old_code: 'abcdefgho1',
    kept_code: 'ABCDEFGH01',
    referrer_key: null,
    stated_referrals: 7,
  });
  expect(row('a@b.example', 'short', '\ud800', '-1')).toMatchObject({
    kept_code: null,
    referrer_key: null,
    stated_referrals: null,
  });
});

test('anything at all makes a row that PostgreSQL can store', () => {
  const cell = fc.string({ unit: 'binary', maxLength: 300 });
  fc.assert(
    fc.property(fc.tuple(cell, cell, cell, cell), (cells) => {
      const { member, ...read } = row(...cells);
      const values = Object.values({ ...member, ...read });
      const texts = values.filter((value) => typeof value === 'string');
      for (const text of texts) expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
    }),
  );
});
