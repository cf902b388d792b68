import { expect, test } from 'vitest';
import { isMailProvider, registrableName } from './mail-provider-rules.ts';

test.each([
  ['gmail.com', 'gmail.com'],
  ['cs.example.ac.uk', 'example.ac.uk'],
  ['one.duckdns.org', 'one.duckdns.org'],
  ['a.one.duckdns.org', 'one.duckdns.org'],
  ['duckdns.org', 'duckdns.org'],
  ['co.uk', 'co.uk'],
])('the registrable name of %s is %s', (domain, name) => {
  expect(registrableName(domain)).toBe(name);
});

test.each(['gmail.com', 'wp.pl', 'yahoo.co.uk', 'naver.com', 't-online.de'])(
  '%s is a mail provider',
  (name) => {
    expect(isMailProvider(name)).toBe(true);
  },
);

/** Each of them costs one account, or one domain, for mailboxes without end. */
test.each(['firm.example', 'fastmail.com', 'duck.com', 'mailinator.com', 'duckdns.org'])(
  '%s is none whose mailboxes each cost something',
  (name) => {
    expect(isMailProvider(name)).toBe(false);
  },
);
