import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DISPOSABLE_LIST, isDisposable } from './disposable-domains.ts';

test.each(['mailinator.com', 'yopmail.com', 'inbox.mailinator.com'])('%s is listed', (domain) => {
  expect(isDisposable(domain)).toBe(true);
});

test.each(['gmail.com', 'gmx.de', 'example.com', 'mozmail.com', 'inbox.example.org', 'com'])(
  '%s is not listed',
  (domain) => {
    expect(isDisposable(domain)).toBe(false);
  },
);

test('the date of the list is that of the installed version', () => {
  const { dependencies } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  expect(dependencies['disposable-email-domains-js']).toBe(DISPOSABLE_LIST.version);
});
