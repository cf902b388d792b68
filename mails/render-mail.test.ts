import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { brand } from '../brand/brand.ts';
import type { MailContent } from '../contract/mails.ts';
import { contrast } from '../server/site/brand/token-rules.ts';
import { brand as secondBrand } from '../test/fixtures/second-brand/brand.ts';
import { attributeValues, invertColour, readTextRuns } from '../test/support/mail-markup.ts';
import { sampleContents, sampleFrame } from '../test/support/sample-mails.ts';
import { openMailRenderer } from './mail-renderer.tsx';

const tokensOf = (folder: string) =>
  readFileSync(new URL(`${folder}tokens.css`, import.meta.url), 'utf8');
const brands = [
  [brand, tokensOf('../brand/')],
  [secondBrand, tokensOf('../test/fixtures/second-brand/')],
] as const;
const cases = brands.flatMap(([own, css]) => {
  const render = openMailRenderer(own, css);
  return sampleContents.map(([name, content]) => ({
    name: `${own.name}, ${name}`,
    content,
    render,
    mail: render(content, sampleFrame),
  }));
});
const render = openMailRenderer(...brands[0]);
const oneLine = (text: string) => text.replace(/\s+/g, ' ');
/** Values that a brand need not name in its words. */
const HIDDEN_VALUES = ['placesToGo', 'validDays', 'newFriends', 'referralCount', 'level'];

describe.each(cases)('the mail $name', ({ content, mail, render }) => {
  const runs = readTextRuns(mail.html);
  const links = [sampleFrame.statusLink, sampleFrame.inviteLink, sampleFrame.preferencesLink];
  if ('action' in content && content.action) links.push(content.action);

  test('links to the status, invite and preferences pages and its action, in both versions', () => {
    const hrefs = attributeValues(mail.html, 'href');
    for (const link of links) {
      expect(hrefs).toContain(link);
      expect(mail.text.split('\n')).toContain(link);
    }
    expect(new Set(hrefs)).toEqual(new Set([sampleFrame.publicUrl, ...links]));
  });

  test('contains its values, and no placeholder is left', () => {
    const shown = runs.map(({ text }) => text).join(' ');
    const values = 'values' in content ? content.values : { subject: content.subject };
    for (const [name, value] of Object.entries(values)) {
      if (HIDDEN_VALUES.includes(name)) continue;
      const written = oneLine(value.toLocaleString('en'));
      expect(shown).toContain(written);
      expect(oneLine(mail.text)).toContain(written);
    }
    expect(mail.subject + shown + mail.text).not.toMatch(/[{}]|undefined|NaN|\[object/);
  });

  test('loads nothing but the ghost, which has a size and an alternative text', () => {
    expect(attributeValues(mail.html, 'src')).toEqual([sampleFrame.image]);
    expect(mail.html).toMatch(/<img [^>]*alt="[^"]{5,}"[^>]*width="200"[^>]*height="200"/);
    expect(mail.html).not.toMatch(
      /<link|<script|<iframe|<svg|@import|url\(|srcset=|\sbackground=|\son[a-z]+=/i,
    );
  });

  test('puts the face beside its headline in every window, enlarged where there is room', () => {
    const headline = /<td width="200" style="width:36%"><img .*?<\/td><td[^>]*><h1 .*?<\/h1>/.exec(
      mail.html,
    )?.[0];
    expect(headline).toContain('text-wrap:balance');
    const [, wide] = /class="figure-(\d+) /.exec(headline ?? '') ?? [];
    expect(mail.html).toContain(`.figure-${wide}{font-size:${wide}px!important`);
  });

  test('is small enough that no client clips it', () => {
    expect(Buffer.byteLength(mail.html)).toBeLessThan(12_000);
  });

  test('has enough contrast, even in a client that inverts colours', () => {
    expect(runs.length).toBeGreaterThan(8);
    for (const { text, ink, ground } of runs) {
      expect(contrast(ink, ground), text).toBeGreaterThanOrEqual(4.5);
      expect(contrast(invertColour(ink), invertColour(ground)), text).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('has one h1, which comes first, and only presentational tables', () => {
    const headings = [...mail.html.matchAll(/<h([1-6])/g)].map(([, level]) => level);
    expect(headings).toEqual(content.kind === 'campaign' ? ['1', '2', '2'] : ['1', '2']);
    expect(mail.html.match(/<table /g)).toHaveLength(
      mail.html.match(/<table role="presentation" /g)?.length ?? 0,
    );
    expect(mail.html).toMatch(/^<!doctype html><html lang="en(-GB)?" dir="ltr" /);
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark">');
  });

  test('contains no address', () => {
    const written = mail.html.replaceAll(/@media/g, '') + mail.text + mail.subject;
    expect(written).not.toContain('@');
  });

  test('has plain-text lines that need no wrapping', () => {
    const long = mail.text
      .split('\n')
      .filter((line) => line.length > 78 && !/^https:\S+$/.test(line));
    expect(long).toEqual([]);
    expect(mail.text).not.toMatch(/[<>]|\n{3}/);
  });

  test('is the same each time it is rendered', () => {
    expect(render(content, sampleFrame)).toEqual(mail);
  });
});

test('subjects are short and unique', () => {
  for (const [own] of brands) {
    const subjects = cases
      .filter(({ name }) => name.startsWith(own.name))
      .map(({ mail }) => mail.subject);
    expect(Math.max(...subjects.map((subject) => subject.length))).toBeLessThanOrEqual(60);
    expect(new Set(subjects).size).toBe(subjects.length);
  }
});

test('no value becomes markup, another header or another line', () => {
  const evil = `"'><script>alert(1)</script>&amp;\r\nBcc: x\u0000`;
  const content: MailContent = {
    kind: 'tier',
    values: { level: 1, reward: evil },
    facts: { nextReward: evil },
    shown: { picture: evil, alt: evil },
  };
  const frame = Object.fromEntries(
    Object.entries(sampleFrame).map(([name, value]) => [name, `${value}${evil}`]),
  );
  const draw = { hash: evil, link: `https://line.example.com/draw?${evil}` };
  const mail = render(content, { ...frame, draw } as unknown as typeof sampleFrame);
  expect(mail.subject).toBe(`Tier 1: "'><script>alert(1)</script>&amp; Bcc: x`);
  expect(mail.html).not.toMatch(/<script|"'>/);
  expect(mail.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;');
});

test('a count of one uses the singular', () => {
  const friend = render(
    {
      kind: 'friends',
      values: { newFriends: 1, referralCount: 1, position: 9 },
      facts: { friends: 1, position: 9 },
    },
    sampleFrame,
  );
  expect(friend.subject).toBe('1 friend joined: you are Ghost #9');
  expect(friend.text).toContain('Friends: 1\n');
  const near = render(
    { kind: 'top100', form: 'left', values: { placesToGo: 1, position: 101 } },
    sampleFrame,
  );
  expect(near.text).toContain('Ghost #101 1 place to go');
  const day = render({ kind: 'confirm', values: { validDays: 1, position: 9 } }, sampleFrame);
  expect(day.text).toContain('The link works for 1 day.');
});

test('a mail about a drop has its hash, in both versions, and a link that compares it', () => {
  const hash = 'ab'.repeat(32);
  const draw = { hash, link: `https://line.example.com/draw?drop=1&noted=${hash}` };
  const mail = render({ kind: 'offer-ended', values: { size: 'Small' } }, { ...sampleFrame, draw });
  expect(mail.html).toContain(`the hash ${hash}</a>`);
  expect(attributeValues(mail.html, 'href')).toContain(draw.link.replace('&', '&amp;'));
  expect(mail.text).toContain(`the hash\n${hash}:\n${draw.link}\n`);
  expect(mail.text.split('\n').every((line) => line.length <= 76 || /^https:/.test(line))).toBe(
    true,
  );
});

test('after the last tier no next reward is shown', () => {
  const last = { kind: 'tier', values: { level: 5, reward: 'A mask' } };
  expect(render(last, sampleFrame).html).not.toContain(brand.mails.facts.nextReward);
});

test('a brand without a colour of the mails is refused', () => {
  expect(() => openMailRenderer(brand, brands[0][1].replace('--bone:', '--bne:'))).toThrow(
    '--bone',
  );
});

test('a brand with a right-to-left language gets right-to-left mails', () => {
  const { html } = openMailRenderer({ ...brand, language: 'ar-EG' }, brands[0][1])(
    { kind: 'welcome', values: { position: 1 } },
    sampleFrame,
  );
  expect(html).toContain('<html lang="ar-EG" dir="rtl"');
  expect(html).toContain('text-align:right');
});

test('only who may still get a mask reads that we will write', () => {
  const text = (form: 'waiting' | 'over') =>
    oneLine(render({ kind: 'not-chosen', form, values: { position: 4_321 } }, sampleFrame).text);
  expect(text('waiting')).toContain('If one reaches you, we will write at once.');
  expect(text('over')).not.toContain('we will write');
});

test('while the order of a drop is fixed, no invite promises to move it', () => {
  const text = (isOrderFixed: boolean) =>
    oneLine(
      render({ kind: 'welcome', values: { position: 128 } }, { ...sampleFrame, isOrderFixed }).text,
    );
  expect(text(false)).toContain('They start ahead of everyone without an invite, and you move up.');
  expect(text(true)).toContain('Friends count for your rewards and the next drop.');
  expect(text(true)).not.toContain('you move up');
});
