import { describe, expect, test } from 'vitest';
import {
  compareWithLine,
  countFriends,
  draftPiece,
  type Member,
  openRow,
  type Row,
  settleRows,
  summarizeRows,
} from './compare-rules.ts';
import { readRow } from './row-rules.ts';

const COLUMNS = {
  email: 0,
  referrer: 1,
  joined_at: 2,
  referral_code: 3,
  referral_count: 4,
  row_id: 5,
} as const;
const now = new Date('2026-06-01T00:00:00Z');

/** Rows of a file, of `address referrer day code count id`, in which `-` is an empty cell. */
function settle(lines: readonly string[], order: 'file' | 'joined_at' = 'file'): readonly Row[] {
  const rows = lines.map((text, index) => {
    const [name, referrer = '-', day = '-', ...others] = text.split(' ');
    const cells = [`${name}@example.com`, referrer, day, ...others].map((cell) =>
      cell === '-' ? '' : cell,
    );
    const options = { mapping: { columns: COLUMNS, order }, width: cells.length, now };
    return openRow(readRow({ cells, line: index + 2 }, options));
  });
  for (const _settled of settleRows(rows, { order }));
  return rows;
}

/** They are in the order of the file, compared and summed up. */
function compare(
  lines: readonly string[],
  { order = 'file', line = [] }: { order?: 'file' | 'joined_at'; line?: readonly Member[] } = {},
): readonly Row[] {
  const rows = settle(lines, order);
  compareWithLine(rows, line);
  summarizeRows(rows, { order });
  return rows.toSorted((one, other) => one.line - other.line);
}

const member = (name: string): Member => ({
  id: `id of ${name}`,
  email_identity: `${name}@example.com`,
  referral_code: `CODE${name}`,
});
const nameOf = ({ email_identity: address }: Pick<Row, 'email_identity'>) => address?.split('@')[0];

test('rows join by time, then by the file', () => {
  const days = ['a - 2024-01-02', 'b - 2024-01-01', 'c - soon', 'd - 2024-01-01', 'e - 2024-01-01'];
  const rows = settle(days, 'joined_at');
  compareWithLine(rows, [member('e')]);
  const joiners = rows.filter(({ fault }) => fault === null);
  expect(joiners.map(nameOf)).toEqual(['b', 'd', 'a']);
});

test('a list in the order of the file that has other times says so once', () => {
  const days = ['a - 2024-01-02', 'b - -', 'c - 2024-01-01', 'd - 2024-01-01', 'e - 2023-01-01'];
  const notesOf = (order: 'file' | 'joined_at') =>
    compare(days, { order }).flatMap(({ notes }) => notes);
  expect(compare(days)[2]?.notes).toEqual(['before_others']);
  expect(notesOf('file')).toEqual(['before_others']);
  expect(notesOf('joined_at')).toEqual([]);
});

test('the earliest of several rows with one address joins, and the others name its line', () => {
  const days = ['late - 2024-03-01', 'A - 2024-02-01', 'first - 2024-01-01', 'a - 2024-01-15'];
  const rows = compare(days, { order: 'joined_at' });
  const joiners = rows.filter(({ fault }) => fault === null);
  expect(joiners.map(nameOf).sort()).toEqual(['a', 'first', 'late']);
  expect(rows[1]).toMatchObject({ fault: 'duplicate', first: { line: 5 } });
});

test('a referrer is found by address, code and row id, also below and in a duplicate', () => {
  const at = (name: string) => `${name}@example.com`;
  const rows = compare([
    'a 2 - - - 1',
    `b ${at('A')} - CODE - 2`,
    'c 4 - - - 3',
    'B - - - - 4',
    'd CODE - - - 5',
    'e nobody - - - 6',
  ]);
  expect(rows.map(({ referrer, notes }) => [referrer?.line, notes])).toEqual([
    [undefined, ['referral_circle']],
    [undefined, ['new_code', 'referral_circle']],
    [3, []],
    [undefined, []],
    [3, []],
    [undefined, ['unknown_referrer']],
  ]);
});

test('a place is that of the file alone, whoever is in line by now', () => {
  const lines = ['a', 'b', 'c', 'b'];
  const places = (line: readonly Member[]) => compare(lines, { line }).map((row) => row.place);
  expect(places([member('a'), member('b')])).toEqual(places([]));
});

test('friends are counted, except in a circle', () => {
  const at = (name: string) => `${name}@example.com`;
  const rows = compare([
    'a',
    `b ${at('a')}`,
    `c ${at('a')}`,
    `d ${at('e')}`,
    `e ${at('d')}`,
    `f ${at('d')}`,
  ]);
  expect(rows.map((row) => [countFriends(row), row.notes])).toEqual([
    [2, []],
    [0, []],
    [0, []],
    [1, ['referral_circle']],
    [0, ['referral_circle']],
    [0, []],
  ]);
});

describe('a piece of the list', () => {
  const LINES = ['a later@example.com', 'b', 'c b@example.com', 'later', 'd later@example.com'];
  const draft = (from: number, to: number, line: readonly Member[]) => {
    const piece = settle(LINES).slice(from, to);
    compareWithLine(piece, line);
    for (const row of piece) row.member_id ??= `new ${nameOf(row)}`;
    const { drafts, ...drafted } = draftPiece(piece);
    return {
      ...drafted,
      drafts: drafts.map((row) => [nameOf(row), row.referrer_id, row.was_invited]),
    };
  };
  const linked = (referrer_id: string) => [
    { email_identity: 'a@example.com', referrer_id, credit: null },
  ];

  test('invites those whose referrer joins later, and knows who joins in it', () => {
    expect(draft(0, 3, [])).toEqual({
      last: 3,
      met: 0,
      links: [],
      drafts: [
        ['a', null, true],
        ['b', null, false],
        ['c', 'new b', true],
      ],
    });
  });

  test('links friends of the pieces before it', () => {
    expect(draft(3, 5, [member('a'), member('b'), member('c')])).toEqual({
      last: 5,
      met: 0,
      links: linked('new later'),
      drafts: [
        ['later', null, false],
        ['d', 'new later', true],
      ],
    });
  });

  test('leaves out who has joined since, and credits them for their friends', () => {
    expect(draft(3, 5, [member('a'), member('later')])).toEqual({
      last: 5,
      met: 1,
      links: linked('id of later'),
      drafts: [['d', 'id of later', true]],
    });
  });

  test('invites nobody by a member of an earlier piece who has left', () => {
    const [b, c] = settle(LINES).slice(1, 3);
    if (b) b.member_id = 'id of b';
    compareWithLine(c ? [c] : [], []);
    expect(draftPiece(c ? [c] : []).drafts).toMatchObject([{ referrer_id: null }]);
  });
});
