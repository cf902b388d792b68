import { expect, test } from 'vitest';
import { describe } from './output.ts';

test('an answer is pairs, and below them its objects and lists of rows by name', () => {
  const answer = {
    kind: 'stripe',
    account: null,
    is_live: false,
    countries: ['DE', 'AT'],
    checkouts: { open: 2, paid: 1 },
    sums: [
      { currency: 'EUR', left_cents: 9900 },
      { currency: 'JPY', left_cents: 100 },
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
      'Currency   Left',
      'EUR       99.00',
      'JPY         100',
    ].join('\n'),
  );
  expect(describe({ masks: { sent: 1 } })).toBe('Masks:\nWhat  Value\nSent      1');
});

test('columns are paths, and people stand under what they are to the row', () => {
  const rows = [
    {
      at: '2026',
      actor: { name: 'Ada\u001b[31m' },
      sources: [{ via: '', friends: 2 }, { via: 'qr' }],
    },
    { at: '2027', actor: null, sources: [] },
  ];
  expect(describe(rows, 'at actor.name sources')).toBe(
    ['Time  Actor     Sources', '2026  Ada?[31m  friends 2, via qr', '2027'].join('\n'),
  );
});

test('a text of several lines stands below the pairs', () => {
  expect(describe({ subject: 'News', text: 'One\nTwo' })).toBe(
    'What     Value\nSubject  News\n\nText:\nOne\nTwo',
  );
});
