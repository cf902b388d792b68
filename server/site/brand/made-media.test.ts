import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { brand as ownBrand } from '../../../brand/brand.ts';
import type { Brand } from '../../../brand/brand-shape.ts';
import { brand } from '../../../test/fixtures/second-brand/brand.ts';
import { StartupError } from '../../startup-error.ts';
import { describeOldMedia, type MadeMedia, NOTE_FILE, noteMedia } from './made-media.ts';

const fixture = fileURLToPath(new URL('../../../test/fixtures/second-brand', import.meta.url));
const MADE = {
  icons: ['static/favicon.svg', 'static/og.jpg'],
  teaser: ['media/teaser-wide.mp4', 'media/poster-wide.jpg'],
  portrait: ['static/og.jpg'],
};

/** A brand's folder as `npm run media` leaves it. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'made-media-'));
  cpSync(fixture, folder, { recursive: true });
  note('icons', brand);
  note('teaser', brand);
});
afterEach(() => rmSync(folder, { recursive: true }));

function note(media: MadeMedia, madeFrom: Brand): void {
  const files = MADE[media].map((path) => ({ path, bytes: readFileSync(join(folder, path)) }));
  const notes = noteMedia(media, { brand: madeFrom, brandDir: folder, files });
  writeFileSync(join(folder, NOTE_FILE), JSON.stringify(notes));
}

const renamed: Brand = { ...brand, name: 'Paper Wolf' };

test('the committed media are of the brand as it is', () => {
  const own = fileURLToPath(new URL('../../../brand', import.meta.url));
  expect(describeOldMedia(ownBrand, own)).toBeNull();
});

test('another name makes icons and teaser old, in one sentence with the command', () => {
  expect(describeOldMedia(brand, folder)).toBeNull();
  expect(describeOldMedia(renamed, folder)).toBe(
    'The icons, web manifest, share card and teaser in brand/ were made before the brand ' +
      'changed: run npm run media -- icons teaser, or put files of your own in their place.',
  );
});

test.each<[string, Partial<Brand>, string]>([
  ['language', { language: 'de' }, 'icons'],
  ['number of masks', { maskCount: 70 }, 'icons teaser'],
  ['headline', { copy: { ...brand.copy, headline: ['Run', 'far.'] } }, 'icons'],
])('another %s makes the media that show it old', (_what, change, media) => {
  expect(describeOldMedia({ ...brand, ...change }, folder)).toContain(`-- ${media}, or`);
});

test('other texts, tiers and tests make nothing old', () => {
  const copy = { ...brand.copy, tagline: 'x' };
  writeFileSync(join(folder, 'art/new.test.ts'), '');
  appendFileSync(join(folder, 'tokens.css'), '/* a note */\n');
  expect(describeOldMedia({ ...brand, copy, tiers: [] }, folder)).toBeNull();
});

test.each(['tokens.css', 'art/ghost.ts', 'fonts.css'])('a new %s is noticed', (file) => {
  if (file === 'tokens.css') writeFileSync(join(folder, file), ':root { --void: #000000; }');
  else appendFileSync(join(folder, file), ' ');
  expect(describeOldMedia(brand, folder)).toContain('-- icons teaser, or');
});

test('what is made again is no longer old', () => {
  writeFileSync(join(folder, 'static/og.jpg'), 'a card');
  note('icons', renamed);
  expect(describeOldMedia(renamed, folder)).toContain('-- teaser, or');
});

test('files that the owner has replaced are the owner’s to keep up to date', () => {
  for (const path of [...MADE.icons, ...MADE.teaser]) writeFileSync(join(folder, path), 'mine');
  expect(describeOldMedia(renamed, folder)).toBeNull();
});

test('notes that are not JSON are reported in one sentence with the file', () => {
  writeFileSync(join(folder, NOTE_FILE), '<<<<<<< HEAD');
  expect(() => describeOldMedia(brand, folder)).toThrow(StartupError);
  expect(() => describeOldMedia(brand, folder)).toThrow(`${NOTE_FILE} is not JSON`);
});
