import { expect, test } from 'vitest';
import { describeRecipients, isSame } from './draft-rules.ts';

test('recipients are described in one line', () => {
  expect(describeRecipients({})).toBe('The whole line');
  expect(describeRecipients({ text: 'ada', tier: 2, mail: 'stopped' })).toBe(
    'Search: ada, Tier 2, Mail: unsubscribed',
  );
});

test('a draft is the same in any order of its filter, and another with another mail state', () => {
  const draft = { subject: 'Soon', body: 'Now', filter: { tier: 1, text: 'ada' } } as const;
  expect(isSame(draft, { ...draft, filter: { text: 'ada', tier: 1 } })).toBe(true);
  expect(isSame(draft, { ...draft, filter: { ...draft.filter, mail: 'sending' } })).toBe(false);
  expect(isSame(draft, { ...draft, body: 'Later' })).toBe(false);
});
