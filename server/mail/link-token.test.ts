import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LinkPurpose, readLinkToken, signLinkToken } from './link-token.ts';

const KEY = 'k'.repeat(43);
const expiresAt = new Date('2027-03-01T12:00:00Z');
const mailboxes = fc.option(fc.uuid(), { nil: null });
const purposes = fc.constantFrom<LinkPurpose>('confirm', 'preferences', 'reward');

test('a token carries its member and expiry, for its own purpose only', () => {
  fc.assert(
    fc.property(fc.uuid(), mailboxes, purposes, purposes, (memberId, mailbox, purpose, asked) => {
      const token = signLinkToken(KEY, { purpose, memberId, mailbox, expiresAt });
      const read = readLinkToken(KEY, { token, purpose: asked });
      expect(read).toEqual(asked === purpose ? { memberId, mailbox, expiresAt } : null);
    }),
  );
});

test('signing is deterministic, and the token fits a header line', () => {
  const memberId = '6b1f8a52-5a0e-4c0f-9d6c-0f6d2f1f7a01';
  const sign = (mailbox: string | null) =>
    signLinkToken(KEY, { purpose: 'preferences', memberId, mailbox, expiresAt });
  expect(sign(null)).toBe(sign(null));
  expect(sign(null)).toMatch(/^[\w-]{55}$/);
  expect(sign(memberId)).toMatch(/^[\w-]{76}$/);
});

test('refuses a token that is altered, cut, spelled differently or signed with another key', () => {
  const token = signLinkToken(KEY, {
    purpose: 'confirm',
    memberId: '6b1f8a52-5a0e-4c0f-9d6c-0f6d2f1f7a01',
    mailbox: null,
    expiresAt,
  });
  const changed = [...token].map(
    (character, at) => token.slice(0, at) + (character === 'A' ? 'B' : 'A') + token.slice(at + 1),
  );
  const others = [
    ...changed,
    token.slice(1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    '',
    'x'.repeat(55),
    '%00',
  ];
  for (const other of others)
    expect(readLinkToken(KEY, { token: other, purpose: 'confirm' })).toBeNull();
  expect(readLinkToken('q'.repeat(43), { token, purpose: 'confirm' })).toBeNull();
});
