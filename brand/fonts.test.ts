import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const css = readFileSync(new URL('./fonts.css', import.meta.url), 'utf8');
const files = readdirSync(new URL('./fonts/', import.meta.url));
const fontFiles = files.filter((file) => file.endsWith('.woff2'));

describe('the fonts', () => {
  test('weigh at most 23 kB together', () => {
    const bytes = fontFiles.map(
      (file) => readFileSync(new URL(`./fonts/${file}`, import.meta.url)).length,
    );
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(23_000);
  });

  test('are all named in fonts.css', () => {
    const named = [...css.matchAll(/url\("\.\/fonts\/([^"]+)"\)/g)].map(([, file]) => file);
    expect(named.toSorted()).toEqual(fontFiles.toSorted());
  });

  test('each have a fallback with the same line height', () => {
    const families = [...css.matchAll(/font-family: "(Brand \w+)";/g)].map(([, family]) => family);
    expect(families).toHaveLength(fontFiles.length);
    for (const family of families) {
      expect(css).toMatch(
        new RegExp(`font-family: "${family} Fallback";[^}]*size-adjust[^}]*ascent-override`),
      );
    }
  });

  test('come with their licence and the copyright notice of each', () => {
    const licence = readFileSync(new URL('./fonts/OFL.txt', import.meta.url), 'utf8');
    expect(licence).toContain('SIL Open Font License');
    for (const authors of ['Archivo', 'Martian Mono', 'Doto'])
      expect(licence).toMatch(new RegExp(`^Copyright 20\\d\\d.* ${authors} Project Authors`, 'm'));
  });
});
