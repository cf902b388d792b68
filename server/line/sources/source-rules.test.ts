import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SOURCE_FIELDS } from '../../../contract/sources.ts';
import {
  readPageSource,
  readSource,
  readSourceHeader,
  type Source,
  sourceKey,
} from './source-rules.ts';

const OWN = 'line.example.com';
const NOTHING = Object.fromEntries(SOURCE_FIELDS.map((field) => [field, '']));
const read = (query: string) => readSource(new URLSearchParams(query), OWN);

test('a source is what links and browsers say', () => {
  expect(
    readSourceHeader(
      'utm_source=TikTok&utm_medium=Paid%20social&utm_campaign=drop-1&via=qr' +
        '&referring_host=www.News.example',
      OWN,
    ),
  ).toEqual({
    utm_source: 'TikTok',
    utm_medium: 'Paid social',
    utm_campaign: 'drop-1',
    via: 'qr',
    referring_host: 'news.example',
  });
});

test.each([
  ['nothing', ''],
  ['fields of others', 'utm_term=a&gclid=b'],
  ['a value that is too long', `utm_source=${'a'.repeat(65)}`],
  ['an address', 'utm_source=ann@example.com'],
  ['markup', 'utm_source=%3Cscript%3E'],
  ['a formula', 'utm_source=%3D1%2B1'],
  ['control characters', 'utm_source=a%00b'],
  ['the name of the rest', 'utm_source=(other)'],
  ['the own host', `referring_host=${OWN}`],
  ['no host', 'referring_host=news.example/page'],
])('%s is no source', (_what, query) => {
  expect(read(query)).toBeNull();
});

test.each([
  'semi;colon',
  'Messe Köln',
  '"20 % off" #1, [a] {b} $5?',
  '#spring',
  '(not set)',
  '日本の友達',
  '🦊 fox',
])('%s is kept as it is written', (value) => {
  const query = String(new URLSearchParams({ utm_source: value }));
  expect(read(query)).toEqual({ ...NOTHING, utm_source: value });
  expect(read(query.replaceAll('+', '%09+'))).toEqual({ ...NOTHING, utm_source: value });
});

test('two spellings have one key, and other sources another', () => {
  const keys = ['utm_source=Messe+Köln', 'utm_source=messe+köln', 'utm_medium=messe+köln'].map(
    (query) => sourceKey(read(query) ?? (NOTHING as Source)),
  );
  expect(keys[0]).toBe(keys[1]);
  expect(keys[1]).not.toBe(keys[2]);
});

test('a bad value is left out, the good ones stay', () => {
  expect(read('utm_source=%3C&via=copy')).toEqual({ ...NOTHING, via: 'copy' });
});

test('a page load has the host of its referrer, not one that the query makes up', () => {
  const source = { url: '/?utm_source=mail&referring_host=evil.example', referer: undefined };
  expect(readPageSource(source, OWN)).toEqual({ ...NOTHING, utm_source: 'mail' });
  const referer = 'https://news.example:8443/story?private=1';
  expect(readPageSource({ url: '/', referer }, OWN)).toEqual({
    ...NOTHING,
    referring_host: 'news.example',
  });
  expect(readPageSource({ url: '/', referer: `https://${OWN}/invite/A` }, OWN)).toBeNull();
  expect(readPageSource({ url: '/', referer: 'not a url' }, OWN)).toBeNull();
});

test('any header gives a short source or none', () => {
  const value = fc.string({ unit: 'grapheme', maxLength: 80 });
  const fields = fc.dictionary(fc.constantFrom(...SOURCE_FIELDS), value);
  fc.assert(
    fc.property(
      fc.oneof(
        value,
        fields.map((of) => String(new URLSearchParams(of))),
      ),
      (header) => {
        const source = readSourceHeader(header, OWN);
        if (source === null) return;
        for (const part of Object.values(source)) expect(part.length).toBeLessThanOrEqual(64);
        // Read again it is the same: one spelling has one row.
        expect(readSource(new URLSearchParams(source), OWN)).toEqual(source);
      },
    ),
  );
  expect(readSourceHeader(`utm_source=a&x=${'b'.repeat(5_000)}`, OWN)).toBeNull();
});
