import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEmail } from './email-rules.ts';
import { isAlias, mailboxOf, PROVIDERS } from './mailbox-rules.ts';

const identityOf = (text: string) => readEmail(text)?.identity ?? '';

describe('the mailbox that gets the mail', () => {
  test.each([
    ['ada+mask@example.com', 'ada@example.com'],
    ['ada+mask+2@example.com', 'ada@example.com'],
    ['Ada.Love.Lace+mask@gmail.com', 'adalovelace@gmail.com'],
    ['a.da@googlemail.com', 'ada@gmail.com'],
    ['ada.lovelace+drop@outlook.com', 'ada.lovelace@outlook.com'],
    ['ada+drop@hotmail.co.uk', 'ada@hotmail.co.uk'],
    ['ada+drop@live.com', 'ada@live.com'],
    ['ada-shop@yahoo.com', 'ada@yahoo.com'],
    ['ada_l-ghost-2@yahoo.co.uk', 'ada_l@yahoo.co.uk'],
    ['ada-ghost@yahoo.com.br', 'ada@yahoo.com.br'],
    ['ada-ghost@yahoo.fr', 'ada@yahoo.fr'],
    ['ada-ghost@yahoo.co.jp', 'ada@yahoo.co.jp'],
    ['ada-ghost@ymail.com', 'ada@ymail.com'],
    ['ada-ghost@rocketmail.com', 'ada@rocketmail.com'],
    ['john.2009@yandex.ru', 'john-2009@yandex.ru'],
    ['john-2009@ya.ru', 'john-2009@yandex.ru'],
    ['john.2009+x@yandex.com', 'john-2009@yandex.ru'],
    ['john.2009@yandex.kz', 'john-2009@yandex.ru'],
    ['john.2009@yandex.com.tr', 'john-2009@yandex.ru'],
    ['a.d-a_l+x@protonmail.com', 'adal@proton.me'],
    ['ada@pm.me', 'ada@proton.me'],
    ['ada+x@me.com', 'ada@icloud.com'],
    ['ada@mac.com', 'ada@icloud.com'],
    ['ada@hanmail.net', 'ada@daum.net'],
    ['12345@foxmail.com', '12345@qq.com'],
    ['shop@ada.fastmail.com', 'ada@fastmail.com'],
    ['ada+shop@fastmail.com', 'ada@fastmail.com'],
    ['shop@ada.sent.com', 'ada@sent.com'],
    ['shop@ada.fastmail.co.uk', 'ada@fastmail.co.uk'],
    ['shop@ada.mozmail.com', '*@ada.mozmail.com'],
    ['anything@ada.simplelogin.com', '*@ada.simplelogin.com'],
    ['anything@ada.anonaddy.com', '*@ada.anonaddy.com'],
  ])('%s is %s', (email, mailbox) => {
    expect(mailboxOf(identityOf(email))).toBe(mailbox);
  });

  test.each([
    ['\u202aA.Da+x@gmail.com\u202c', 'ada@gmail.com'],
    ['a.da@googlemail.com\u200b', 'ada@gmail.com'],
    ['"Ada" <a.da@gmail.com>', 'ada@gmail.com'],
    ['<ada-list@yahoo.com>', 'ada@yahoo.com'],
    ['mailto:shop@ada.fastmail.com', 'ada@fastmail.com'],
    ['ada@ＹＡ.ru.', 'ada@yandex.ru'],
  ])('%j, as people paste it, is %s', (text, mailbox) => {
    expect(mailboxOf(identityOf(text))).toBe(mailbox);
  });

  test.each([
    'a.da@example.com',
    'a-da@example.com',
    'a.da@icloud.com',
    '+ada@example.com',
    'ada.l@outlook.com',
    'a.da@qq.com',
    'a-da@yahoo.example.com',
    'a-da@yahoo.com.example',
    'a-da@notyahoo.com',
    'a-da@mail.yahoo.com',
    '-@yahoo.com',
    'a.da@workspace.gmail.com',
    'a.da@yandex-team.ru',
    'x@a.b.fastmail.com',
    'w11tzqdr@duck.com',
    'dpdcnf87nu@privaterelay.appleid.com',
    'ada@fastmail.com',
    'b7w2k@mozmail.com',
  ])('%s is its own', (email) => {
    expect(mailboxOf(identityOf(email))).toBe(email);
  });

  test('one name at two domains with mailboxes of their own is two mailboxes', () => {
    for (const [one, other] of [
      ['ada@yahoo.com', 'ada@yahoo.de'],
      ['ada@outlook.com', 'ada@hotmail.com'],
      ['ada@sent.com', 'ada@fastmail.com'],
      ['ada@slmail.me', 'ada@aleeas.com'],
      ['x@ada.mozmail.com', 'x@bob.mozmail.com'],
    ] as const)
      expect(mailboxOf(one)).not.toBe(mailboxOf(other));
  });
});

test.each([
  ['ada@fastmail.com', true],
  ['x@ada.fastmail.fm', true],
  ['ada@sent.com', true],
  ['x@privaterelay.appleid.com', true],
  ['x@private.icloud.com', true],
  ['x@duck.com', true],
  ['x@aleeas.com', true],
  ['x@ada.aleeas.com', true],
  ['x@passmail.net', true],
  ['x@mozmail.com', true],
  ['x@ada.mozmail.com', true],
  ['x@anonaddy.me', true],
  ['ada@icloud.com', false],
  ['ada@gmail.com', false],
  ['ada@duck.example', false],
  ['ada@notduck.com', false],
  ['ada@x.duck.com', false],
  ['ada@example.com', false],
])('a service of aliases has %s: %s', (email, isOne) => {
  expect(isAlias(email)).toBe(isOne);
});

const DOMAINS = PROVIDERS.flatMap(({ domains }) => domains);
const KNOWN = DOMAINS.flatMap((domain) => {
  const spelt = domain.endsWith('.*')
    ? ['com', 'fr', 'co.uk', 'com.br'].map((ending) => domain.replace('*', ending))
    : [domain];
  return [...spelt, ...spelt.map((one) => `a-b.${one}`)];
}).concat('outlook.com', 'example.com');

test('no domain has two providers', () => {
  expect(new Set(DOMAINS).size).toBe(DOMAINS.length);
});

const name = fc.stringMatching(/^[aé+._-]{1,8}$/);
const identityAt = (domain: fc.Arbitrary<string>) =>
  fc
    .tuple(name, domain)
    .map((parts) => identityOf(parts.join('@')))
    .filter((identity) => identity !== '');

test('the mailbox of a mailbox is itself', () => {
  fc.assert(
    fc.property(identityAt(fc.constantFrom(...KNOWN)), (identity) => {
      const mailbox = mailboxOf(identity);
      expect(mailboxOf(mailbox)).toBe(mailbox);
      expect(isAlias(mailbox)).toBe(isAlias(identity));
    }),
  );
});

test('at an unknown domain nothing but a tag behind a plus makes no difference', () => {
  const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/);
  const unknown = fc.tuple(label, label).map((labels) => `${labels.join('.')}.example`);
  fc.assert(
    fc.property(
      fc.tuple(name, name, unknown, unknown, fc.boolean()),
      ([one, other, domain, away, isSame]) => {
        const first = identityOf(`${one}@${domain}`);
        const second = identityOf(`${other}@${isSame ? domain : away}`);
        fc.pre(first !== '' && second !== '');
        const plain = (identity: string) => identity.replace(/(?<=.)\+.*(?=@)/, '');
        expect(mailboxOf(first) === mailboxOf(second)).toBe(plain(first) === plain(second));
      },
    ),
    { examples: [[['++', '+', 'mask.one.example', 'mask.two.example', true]]] },
  );
});
