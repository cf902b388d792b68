import { readdirSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { brand as secondBrand } from '../test/fixtures/second-brand/brand.ts';
import { brand } from './brand.ts';

const brands = [
  { folder: './', brand },
  { folder: '../test/fixtures/second-brand/', brand: secondBrand },
];

describe.each(brands)('the files of the site root of $brand.name', ({ folder, brand }) => {
  const root = new URL(`${folder}static/`, import.meta.url);
  const manifest = JSON.parse(readFileSync(new URL('manifest.webmanifest', root), 'utf8'));

  test('contain every icon of the manifest and the one for Apple devices', () => {
    const present = readdirSync(root);
    expect(manifest.icons.length).toBeGreaterThan(0);
    for (const { src } of manifest.icons) expect(present).toContain(src.slice(1));
    expect(present).toContain('apple-touch-icon.png');
  });

  test('name the brand, its language and the colour of its page', () => {
    const tokens = readFileSync(new URL(`${folder}tokens.css`, import.meta.url), 'utf8');
    const { name, language, copy } = brand;
    expect(manifest).toMatchObject({ name, lang: language, description: copy.landingDescription });
    expect(tokens).toContain(`--void: ${manifest.theme_color};`);
    expect(manifest.background_color).toBe(manifest.theme_color);
  });

  test('contain a share card for chat apps: a JPEG of 1200 x 630 under 100 kB', async () => {
    const card = readFileSync(new URL('og.jpg', root));
    expect(card.length).toBeLessThan(100_000);
    const { format, width, height } = await sharp(card).metadata();
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 1200, height: 630 });
  });
});
