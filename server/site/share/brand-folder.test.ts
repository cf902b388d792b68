import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { provideFolder } from '../../../test/support/provide-folder.ts';
import { artVersion, cardFonts, loadCardStyle } from './brand-folder.ts';

const own = fileURLToPath(new URL('../../../brand', import.meta.url));

test('every font family that the tokens name is there as a TrueType file', async () => {
  const { tokens } = await loadCardStyle(own);
  const { fontFiles } = cardFonts(own);
  const fonts = fontFiles.map((file) => readFileSync(file).swap16().toString('utf16le'));
  for (const name of ['font-display', 'font-mono', 'font-numeral'] as const) {
    const family = /^"([^"]+)"/.exec(tokens[name])?.[1] ?? 'no family';
    expect(fonts.filter((font) => font.includes(family))).toHaveLength(1);
  }
});

describe('the version of the images', () => {
  const pathOf = provideFolder();
  beforeEach(() => {
    cpSync(own, pathOf(), { recursive: true, filter: (path) => !path.includes('media') });
  });

  test('is the same on every server', () => {
    expect(artVersion(pathOf())).toBe(artVersion(own));
  });

  test.each(['tokens.css', 'brand.ts', 'art/ghost.ts', 'fonts/display.ttf'])(
    'changes with %s',
    (file) => {
      appendFileSync(pathOf(file), ' ');
      expect(artVersion(pathOf())).not.toBe(artVersion(own));
    },
  );

  test('ignores tests and documents', () => {
    writeFileSync(pathOf('art/new.test.ts'), '');
    writeFileSync(pathOf('notes.md'), '');
    expect(artVersion(pathOf())).toBe(artVersion(own));
  });
});
