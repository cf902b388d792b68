import { afterEach, expect, test, vi } from 'vitest';
import { groupMark } from '../../scripts/build/document.ts';

afterEach(() => vi.unstubAllGlobals());

/** The page writes numbers by the mark of its document, or by Intl. */
test.each(['en', 'de', 'de-CH', 'fr', 'sv', 'es', 'pt-PT', 'pl', 'hi', 'ar-EG', 'ja'])(
  'numbers on a page in %s are those of Intl',
  async (language) => {
    const [, group] = /^ data-group="(.)"$/.exec(groupMark(language)) ?? [];
    vi.stubGlobal('document', { documentElement: { lang: language, dataset: { group } } });
    vi.resetModules();
    const { writeNumber } = await import('../../web/ui/numerals/write-number.ts');
    for (const value of [0, 7, 128, 999, 1000, 10_234, 999_999, 1_000_000, 12_345_678])
      expect(writeNumber(value)).toBe(value.toLocaleString(language));
  },
);

test('the document of an English page brings the mark, and one of another grouping none', () => {
  expect(groupMark('en')).toBe(' data-group=","');
  expect(['es', 'hi', 'ar-EG'].map(groupMark)).toEqual(['', '', '']);
});
