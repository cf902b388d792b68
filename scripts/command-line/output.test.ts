import { expect, test } from 'vitest';
import { describe, describeRows } from './output.ts';

test('an answer is pairs, and below them its objects and lists of rows by name', () => {
  const answer = {
    kind: 'stripe',
    account: null,
    is_live: false,
    countries: ['DE', 'AT'],
    checkouts: { open: 2, paid: 1 },
    sums: [
      { currency: 'EUR', left_cents: 9900 },
      { currency: 'GBP', left_cents: 100 },
    ],
  };
  expect(describe(answer)).toBe(
    [
      'What       Value',
      'Kind       stripe',
      'Is live    no',
      'Countries  DE AT',
      '',
      'Checkouts:',
      'What  Value',
      'Open      2',
      'Paid      1',
      '',
      'Sums:',
      'Currency  Left cents',
      'EUR             9900',
      'GBP              100',
    ].join('\n'),
  );
  expect(describe({ masks: { sent: 1 } })).toBe('Masks:\nWhat  Value\nSent      1');
});

test('columns are paths, with heads of their own or not', () => {
  const rows = [
    {
      at: '2026',
      actor: { name: 'Ada\u001b[31m' },
      sources: [{ via: '', friends: 2 }, { via: 'qr' }],
    },
    { at: '2027', actor: null, sources: [] },
  ];
  expect(describeRows(rows, 'Time:at By:actor.name sources')).toBe(
    ['Time  By        Sources', '2026  Ada?[31m  friends 2, via qr', '2027'].join('\n'),
  );
});
