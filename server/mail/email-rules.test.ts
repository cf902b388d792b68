import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepFinds } from '../../test/support/keep-finds.ts';
import { deliverableAddress, emailFault, readAddress, readEmail } from './email-rules.ts';

const identityOf = (text: string) => readEmail(text)?.identity;

describe('spellings of one mailbox', () => {
  test.each([
    'zoë@bücher.example',
    'ZOË@BÜCHER.EXAMPLE',
    'zoe\u0308@bu\u0308cher.example',
    'zoë@xn--bcher-kva.example',
    'zoë@XN--BCHER-KVA.Example',
    'ｚｏë＠ｂücher.example',
    'zoë@bücher。example',
    ' \tzoë@bücher.example\u3000\n',
  ])('%j is the same member', (text) => {
    expect(identityOf(text)).toBe('zoë@xn--bcher-kva.example');
  });

  test('both small sigmas are the capital one', () => {
    for (const name of ['οδυσσευς', 'οδυσσευσ'])
      expect(identityOf(`${name}@example.com`)).toBe(identityOf('ΟΔΥΣΣΕΥΣ@example.com'));
  });

  test('the address is kept as typed, without the space around', () => {
    expect(readEmail('  Al.Ice+Mask@Example.COM ')?.email).toBe('Al.Ice+Mask@Example.COM');
  });

  test('a plus tag and dots are part of the mailbox', () => {
    expect(new Set(['al@a.example', 'al+x@a.example', 'a.l@a.example'].map(identityOf)).size).toBe(
      3,
    );
  });
});

test.each([
  'ада@пример.example',
  'أحمد@example.com',
  '用户@例え.example',
  'हिन्दी@example.com',
  'ไทย@example.com',
  '한국@example.com',
  'zoe\u0308@example.com',
])('%s, of letters and marks of its script, is an address', (text) => {
  expect(readEmail(text)).not.toBeNull();
});

describe('what people paste', () => {
  test.each([
    'ada@example.com 🙂',
    'MAILTO:ada@example.com?subject=Hello',
    '\u202aada@example.com\u202c',
    '"Ada" <ada@example.com>,',
    '"ada@work.example" <ada@example.com>;',
    "'Ada' <mailto:ada@example.com>",
    "'ada@example.com'",
    '**ada@example.com**.',
    "_'ada@example.com'_",
    'Ada Lovelace (ada@example.com)',
    'Ada [mailto:ada@example.com]',
    '« ada@example.com »',
    '\u3164ada@example.com\u{e0100}',
    '{ada@example.com}',
    'mailto:%20ada@example.com',
    'mailto://ada@example.com',
    'mailto:ada%40example.com',
    'mailto:Ada%20%3Cada@example.com%3E',
    'ada@example.com (Ada)',
    'ada@example.com <Ada>',
    'Ada <ada@example.com> (work)',
    'ada@example.com<mailto:ada@example.com>',
    'Ada ＜ada@example.com＞',
    '1. ada@example.com',
  ])('%j is one address', (text) => {
    expect(readEmail(text)?.email).toBe('ada@example.com');
  });

  test.each('”’›–·、।،★✓→🙂'.match(/./gu) ?? [])(
    'a final %s that the browser made part of the domain is taken off',
    (sign) => {
      const encoded = domainToASCII(`example.com${sign}`);
      expect(encoded).toMatch(/^example\.xn--/);
      expect(readEmail(`ada@${encoded}`)?.email).toBe('ada@example.com');
    },
  );

  test.each(['ada@xn--bcher-kva.example', 'xn--com-9o0a@example.com'])('%s stays', (text) => {
    expect(readEmail(text)?.email).toBe(text);
  });

  test.each(["'", '<', 'mailto:', "'a", '.', '@', '"', ' (', '- ', 'a: ', '@xn--com-9o0a.'])(
    'a thousand times %j takes no long search',
    (part) => {
      expect(readEmail(`${part.repeat(1_000).slice(0, 1_000)}ada@b..c`)).toBeNull();
      expect(readEmail(`${part.repeat(10_000)}ada@example.com`)).toBeNull();
    },
  );

  test.each(["'ada@example.com", '_ada_@example.com', '{ada}@example.com', '-ada@example.com'])(
    '%j keeps what belongs to the address',
    (text) => {
      expect(readEmail(text)?.email).toBe(text);
    },
  );

  const blank = fc.constantFrom(
    ...' \t\n\u00a0\u200b\u200e\u202a\u202c\ufeff\u3164\ufe0f'.split(''),
  );
  const ends = fc.array(blank, { maxLength: 3 }).map((parts) => parts.join(''));
  const wrap = fc.oneof(
    fc.tuple(ends, ends),
    fc.constantFrom(...[',', ';', '.', '!', ' ,', '。', '…']).map((end) => ['', end] as const),
    fc.constantFrom(...['()', '<>', '“”', '«»', '""', '[]']).map((pair) => [...pair] as string[]),
    fc
      .constantFrom('mailto:', 'MAILTO:', '• ', '– ', '- ', 'Email: ')
      .map((begin) => [begin, ''] as const),
    fc
      .constantFrom('Ada', '"Ada"', "'Ada'", 'a@b.example', 'Zoë, 2')
      .map((name) => [`${name} <`, '>']),
  );
  test('any of it, in any order, leaves the address', () => {
    const address = fc
      .emailAddress()
      .filter((text) => readEmail(text) !== null && /^[a-z0-9][^?]*$/i.test(text));
    fc.assert(
      fc.property(address, fc.array(wrap, { maxLength: 4 }), (text, wraps) => {
        const names = wraps.filter(([begin = '']) => begin.endsWith('<')).length;
        fc.pre(names + wraps.filter(([begin]) => begin === '<').length <= 1);
        const pasted = wraps.reduce((inner, [begin = '', end]) => {
          // RFC 6068: a percent sign of the address is encoded in a link.
          const linked = /^mailto:/i.test(begin) ? inner.replaceAll('%', '%25') : inner;
          return begin + linked + end;
        }, text);
        expect(readEmail(pasted)?.email).toBe(text);
      }),
      keepFinds({ numRuns: 2_000 }),
    );
  });
});

describe('what is refused', () => {
  test.each([
    '',
    ' ',
    'alice',
    '@example.com',
    'alice@',
    'alice@localhost',
    'alice@.example.com',
    'alice@example..com',
    '.alice@example.com',
    'alice.@example.com',
    'al..ice@example.com',
    'al ice@example.com',
    'alice@exa mple.com',
    'alice@bob@example.com',
    '"alice"@example.com',
    'alice@[127.0.0.1]',
    'alice@127.0.0.1',
    'alice@0x7f.1',
    'alice@ex%61mple.com',
    'alice@exa_mple.com',
    'alice@-example.com',
    'alice@example.com\nBcc: bob@example.com',
    'alice\0@example.com',
    'alice\u202e@example.com',
    'alice\u200b@example.com',
    'alice\ud800@example.com',
    'alice@exam\u00adple.com',
    'alice@example.com, bob@example.com',
    'Alice <alice@example.com> <bob@example.com>',
    "'alice@example.com, bob@example.com'",
    'alice@example',
    'alice@xn--i-7iq.example',
    'mailto:',
    '<>',
    '🎭@example.com',
  ])('%j', (text) => {
    expect(readEmail(text)).toBeNull();
  });

  test.each([
    ['a variation selector', '\u{fe0f}'],
    ['a supplementary variation selector', '\u{e0100}'],
    ['a zero-width space', '\u{200b}'],
    ['a zero-width joiner', '\u{200d}'],
    ['a word joiner', '\u{2060}'],
    ['a byte order mark', '\u{feff}'],
    ['a soft hyphen', '\u{ad}'],
    ['a combining grapheme joiner', '\u{34f}'],
    ['a Hangul filler', '\u{3164}'],
    ['a half-width Hangul filler', '\u{ffa0}'],
    ['a Khmer inherent vowel', '\u{17b4}'],
    ['a Mongolian variation selector', '\u{180b}'],
    ['a tag', '\u{e0061}'],
  ])('%s inside, but not at an end', (_name, invisible) => {
    for (const text of [`ali${invisible}ce@example.com`, `alice${invisible}@example.com`]) {
      expect(readEmail(text)).toBeNull();
      expect(emailFault(`<${text}>`)).toBe('hidden_in_address');
    }
    for (const text of [`${invisible}alice@example.com`, `alice@example.com${invisible}`])
      expect(readEmail(text)?.email).toBe('alice@example.com');
  });

  test('in a sentence that names the cause', () => {
    expect(() => readAddress('in\u200bside@example.com')).toThrow('an invisible character');
    expect(() => readAddress('al ice@example.com')).toThrow('a space');
    expect(() => readAddress('alice')).toThrow('does not look like an email address');
  });

  test('more than 64 octets before the @, or 254 in all', () => {
    const domain = `${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(58)}.org`;
    expect(readEmail(`${'a'.repeat(64)}@example.com`)).not.toBeNull();
    expect(readEmail(`${'a'.repeat(65)}@example.com`)).toBeNull();
    expect(readEmail(`${'ë'.repeat(33)}@example.com`)).toBeNull();
    expect(readEmail(`${'a'.repeat(254 - 1 - domain.length)}@${domain}`)).not.toBeNull();
    expect(readEmail(`${'a'.repeat(255 - 1 - domain.length)}@${domain}`)).toBeNull();
  });
});

describe('for any text', () => {
  const nearlyAddress = fc
    .tuple(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('@', '＠', ''),
      fc.domain(),
    )
    .map((parts) => parts.join(''));
  const anyText = fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' }), nearlyAddress);

  test('the identity of an identity is itself', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const identity = identityOf(text);
        if (identity !== undefined) expect(identityOf(identity)).toBe(identity);
      }),
      { numRuns: 2000 },
    );
  });

  test('letter case and composition do not matter', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        expect(identityOf(text.toUpperCase())).toBe(identityOf(text));
        expect(identityOf(text.normalize('NFD'))).toBe(identityOf(text));
      }),
      { numRuns: 500 },
    );
  });

  test('what is accepted has one @, no white space and nothing invisible', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const identity = identityOf(text);
        if (identity !== undefined) expect(identity).toMatch(/^[^@\s\p{C}\p{DI}]+@[a-z0-9.-]+$/u);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the address that mail goes to', () => {
  test.each([
    ['Ada.Lovelace@Example.COM', 'Ada.Lovelace@example.com'],
    ['ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'ada@example.com'],
    ['Zoë@bücher.example', 'Zoë@xn--bcher-kva.example'],
  ])('of %s is %s', (typed, deliverable) => {
    expect(deliverableAddress(typed)).toBe(deliverable);
  });

  test('is the same mailbox and holds one @ of ASCII', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const address = readEmail(text);
        if (address === null) return;
        const deliverable = deliverableAddress(address.email);
        expect(readEmail(deliverable)?.identity).toBe(address.identity);
        expect(deliverable.split('@')).toHaveLength(2);
      }),
    );
  });
});
