import { expect, test } from 'vitest';
import { describeAnswer } from './api-commands.ts';

test('an answer is pairs, and below them its objects and lists of rows by name', () => {
  const answer = {
    kind: 'stripe',
    account: null,
    countries: ['DE', 'AT'],
    findings: [],
    checkouts: { open: 2, paid: 1 },
    sums: [
      { currency: 'EUR', left_cents: 9900 },
      { currency: 'GBP', left_cents: 100 },
    ],
  };
  expect(describeAnswer(answer)).toBe(
    [
      'What       Value',
      'kind       stripe',
      'account',
      'countries  DE AT',
      'findings',
      '',
      'checkouts:',
      'What  Value',
      'open      2',
      'paid      1',
      '',
      'sums:',
      'Currency  Left cents',
      'EUR             9900',
      'GBP              100',
    ].join('\n'),
  );
  expect(describeAnswer({ masks: { sent: 1 } })).toBe('masks:\nWhat  Value\nsent      1');
});
