import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test, vi } from 'vitest';
import { isAll } from '../../../test/support/test-form.ts';
import { type CampaignText, fillCampaign, readText } from './campaign-text.ts';

vi.mock('mdast-util-from-markdown', { spy: true });

const values = {
  position: 128,
  referral_count: 3,
  referral_code: '7K3M9QX2TV',
  invite_link: 'https://line.example.com/invite/7K3M9QX2TV',
  status_link: 'https://line.example.com/thank-you/x',
};
const problems = (body: string, subject = 'News') => readText({ subject, body }).problems;
const fill = (text: CampaignText) => fillCampaign({ ...text, ...readText(text) }, values);

test.each([
  ['Hello {positon}', 'Line 1: {positon} is unknown: did you mean {position}?'],
  ['a\n\nb {invitelink}', 'Line 3: {invitelink} is unknown: did you mean {invite_link}?'],
  [
    '- x\n- `{zzzzzzzzzz}`',
    'Line 2: {zzzzzzzzzz} is unknown. There are {position}, {referral_count}, {referral_code}, ' +
      '{invite_link}, {status_link}.',
  ],
  ['Hello {first name}', expect.stringContaining('{first name} is unknown. There are {position}')],
  ['Hello {vor-name}', expect.stringContaining('{vor-name} is unknown.')],
  ['At { position }', 'Line 1: { position } is unknown: did you mean {position}?'],
  ['[go](javascript:alert(1))', expect.stringContaining('must begin with https:// or http://')],
  ['[go](data:text/html,x)', expect.stringContaining('must begin with https:// or http://')],
  ['[go](/status)', expect.stringContaining('must begin with https:// or http://')],
  ['[go](//evil.example)', expect.stringContaining('must begin with https:// or http://')],
  ['<mailto:a@b.c>', expect.stringContaining('must begin with https:// or http://')],
  ['[go](https://)', expect.stringContaining('must begin with https:// or http://')],
  ['[go](https://me:secret@a.example)', expect.stringContaining('must not have a password')],
  ['[go](https://a.example/{position})', expect.stringContaining('cannot be part of a link')],
  ['[go]({position})', expect.stringContaining('cannot be part of a link')],
  ['[go]({invite})', 'Line 1: {invite} is unknown: did you mean {invite_link}?'],
  ['![x](https://a.example/x.png)', 'Line 1: Images cannot be sent: use a link.'],
  ['[a]: javascript:x\n\n[a]', expect.stringContaining('Write the link beside its words')],
  ['>'.repeat(30), expect.stringContaining('more than 8 quotes, lists')],
  ['', 'Please write a text.'],
  ['a\0b', 'The text has characters that cannot be sent.'],
])('%j is refused in a sentence', (body, sentence) => {
  expect(problems(body)).toContainEqual(sentence);
});

test.each([
  `${'- '.repeat(2_500)}x`,
  `${'1. '.repeat(9)}x`,
  `> x\n${'+ > '.repeat(5)}x`,
  `${'>'.repeat(9)} - - -`,
])('a text nested too deep is refused before it is parsed: %#', (body) => {
  vi.mocked(fromMarkdown).mockClear();
  const line = body.split('\n').length;
  expect(problems(body)).toEqual([
    `Line ${line}: There are more than 8 quotes, lists or stresses within others.`,
  ]);
  expect(fromMarkdown).not.toHaveBeenCalled();
});

test.each([
  '*a_'.repeat(6_666),
  `a ${'*'.repeat(10_000)} b`,
  `${'[a\n'.repeat(600)}${'*b\n'.repeat(600)}`,
  `a\n\n${'<`'.repeat(501)}`,
])('a paragraph of more than 1,000 marks is refused before it is parsed: %#', (body) => {
  vi.mocked(fromMarkdown).mockClear();
  expect(problems(body)).toEqual([
    expect.stringMatching(/^Line \d+: A paragraph has more than 1000 marks such as \* and \[\.$/),
  ]);
  expect(fromMarkdown).not.toHaveBeenCalled();
});

test.each(['a\n=\n'.repeat(5_000), '=\n'.repeat(2_001), '>a\n\n'.repeat(5_000)])(
  'a text of more than 2,000 lines is refused before it is parsed: %#',
  (body) => {
    vi.mocked(fromMarkdown).mockClear();
    expect(problems(body)).toEqual(['The text has more than 2000 lines.']);
    expect(fromMarkdown).not.toHaveBeenCalled();
  },
);

test('many paragraphs may have many marks, but not many within each other', () => {
  expect(problems('**a** [b](https://c.example)\n\n'.repeat(600))).toEqual([]);
  const nested = `${'*a '.repeat(9)}b${' c*'.repeat(9)}`;
  expect(problems(nested)).toEqual([expect.stringContaining('more than 8')]);
});

test.each([
  `> ${'- '.repeat(40)}`,
  `${'* '.repeat(40)}\n\n${'- '.repeat(7)}x`,
  '- - - - - - 9) x',
  '------------------',
  '+1 - 2 - 3 - 4 - 5 - 6 - 7 - 8 - 9 - 10',
])('a rule, seven levels and signs in words are no deep nest: %#', (body) => {
  expect(problems(body)).toEqual([]);
});

test.each([
  ['', 'Please write a subject.'],
  ['a\r\nBcc: x@example.com', 'The subject must be one line.'],
  ['{postion}', 'Subject: {postion} is unknown: did you mean {position}?'],
])('the subject %j is refused in a sentence', (subject, sentence) => {
  expect(problems('Hello', subject)).toContain(sentence);
});

test('placeholders become what is true of the member, and links can be clicked', () => {
  const text = {
    subject: '#{position}',
    body: '# At {position}\n\nSee [**your** page]({status_link}) or {invite_link}.',
  };
  expect(readText(text).problems).toEqual([]);
  expect(fill(text)).toEqual({
    kind: 'campaign',
    subject: '#128',
    blocks: [
      { kind: 'heading', words: [{ kind: 'text', text: 'At 128' }] },
      {
        kind: 'paragraph',
        words: [
          { kind: 'text', text: 'See ' },
          {
            kind: 'link',
            href: values.status_link,
            words: [
              { kind: 'strong', words: [{ kind: 'text', text: 'your' }] },
              { kind: 'text', text: ' page' },
            ],
          },
          { kind: 'text', text: ' or ' },
          {
            kind: 'link',
            href: values.invite_link,
            words: [{ kind: 'text', text: values.invite_link }],
          },
          { kind: 'text', text: '.' },
        ],
      },
    ],
  });
});

test('HTML is text like any other', () => {
  const text = { subject: 'x', body: '<script>alert(1)</script>\n\n<b>a</b> &amp; b' };
  expect(readText(text).problems).toEqual([]);
  expect(fill(text).blocks).toEqual([
    { kind: 'paragraph', words: [{ kind: 'text', text: '<script>alert(1)</script>' }] },
    { kind: 'paragraph', words: [{ kind: 'text', text: '<b>a</b> & b' }] },
  ]);
});

test('whatever is written either has problems or can be filled', () => {
  const piece = fc.constantFrom(
    ...['# ', '- ', '1. ', '> ', '\n', '\n\n', '*', '**', '`', '```\n', '[', '](', ')', '!', '<'],
    ...['{', '}', 'position', '{position}', '{invite_link}', 'https://a.example', '>', '---', '\t'],
    ...['&amp;', '\\', '|', 'word ', '    ', '[a]: ', 'javascript:'],
  );
  const body = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(body, (written) => {
      const text = { subject: 'News', body: written };
      if (readText(text).problems.length > 0) return;
      for (const href of hrefsIn(fill(text))) expect(href).toMatch(/^https?:/i);
    }),
    { numRuns: isAll ? 3_000 : 1_000 },
  );
});

function hrefsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'href' in value ? [String(value.href)] : [];
  return [...own, ...Object.values(value).flatMap(hrefsIn)];
}
