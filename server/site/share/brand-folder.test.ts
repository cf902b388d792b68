import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
  let copy: string;
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'brand-folder-'));
    cpSync(own, copy, { recursive: true, filter: (path) => !path.includes('media') });
  });
  afterEach(() => rmSync(copy, { recursive: true }));

  test('is the same on every server', () => {
    expect(artVersion(copy)).toBe(artVersion(own));
  });

  test.each(['tokens.css', 'brand.ts', 'art/ghost.ts', 'fonts/display.ttf'])(
    'changes with %s',
    (file) => {
      appendFileSync(join(copy, file), ' ');
      expect(artVersion(copy)).not.toBe(artVersion(own));
    },
  );

  test('ignores tests and documents', () => {
    writeFileSync(join(copy, 'art/new.test.ts'), '');
    writeFileSync(join(copy, 'notes.md'), '');
    expect(artVersion(copy)).toBe(artVersion(own));
  });
});
