import { expect, test } from 'vitest';
import { isMailProvider, registrableName } from './mail-provider-rules.ts';
import { PROVIDERS } from './mailbox-rules.ts';

const ALIAS_DOMAINS = PROVIDERS.flatMap(({ domains, hasAliases }) => (hasAliases ? domains : []));

test.each([
  ['gmail.com', 'gmail.com'],
  ['cs.example.ac.uk', 'example.ac.uk'],
  ['one.duckdns.org', 'one.duckdns.org'],
  ['a.one.duckdns.org', 'one.duckdns.org'],
  ['duckdns.org', 'duckdns.org'],
  ['co.uk', 'co.uk'],
  ['private.icloud.com', 'private.icloud.com'],
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
test.each(['firm.example', 'mailinator.com', 'duckdns.org', ...ALIAS_DOMAINS])(
  '%s is none whose mailboxes each cost something',
  (domain) => {
    expect(isMailProvider(registrableName(domain))).toBe(false);
  },
);
