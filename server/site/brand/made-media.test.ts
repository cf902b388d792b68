import { appendFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { brand as ownBrand } from '../../../brand/brand.ts';
import type { Brand } from '../../../brand/brand-shape.ts';
import { brand } from '../../../test/fixtures/second-brand/brand.ts';
import { provideFolder } from '../../../test/support/provide-folder.ts';
import { StartupError } from '../../startup-error.ts';
import { describeOldMedia, type MadeMedia, NOTE_FILE, noteMedia } from './made-media.ts';

const fixture = fileURLToPath(new URL('../../../test/fixtures/second-brand', import.meta.url));
const MADE = {
  icons: ['static/favicon.svg', 'static/og.jpg'],
  teaser: ['media/teaser-wide.mp4', 'media/poster-wide.jpg'],
  portrait: ['static/og.jpg'],
};

/** A brand's folder as `npm run media` leaves it. */
const pathOf = provideFolder();
beforeEach(() => {
  cpSync(fixture, pathOf(), { recursive: true });
  note('icons', brand);
  note('teaser', brand);
});

function note(media: MadeMedia, madeFrom: Brand): void {
  const files = MADE[media].map((path) => ({ path, bytes: readFileSync(pathOf(path)) }));
  const notes = noteMedia(media, { brand: madeFrom, brandDir: pathOf(), files });
  writeFileSync(pathOf(NOTE_FILE), JSON.stringify(notes));
}

const renamed: Brand = { ...brand, name: 'Paper Wolf' };

test('the committed media are of the brand as it is', () => {
  const own = fileURLToPath(new URL('../../../brand', import.meta.url));
  expect(describeOldMedia(ownBrand, own)).toBeNull();
});

test('another name makes icons and teaser old, in one sentence with the command', () => {
  expect(describeOldMedia(brand, pathOf())).toBeNull();
  expect(describeOldMedia(renamed, pathOf())).toBe(
    'The icons, web manifest, share card and teaser in brand/ were made before the brand ' +
      'changed: run npm run media -- icons teaser, or put files of your own in their place.',
  );
});

test.each<[string, Partial<Brand>, string]>([
  ['language', { language: 'de' }, 'icons'],
  ['number of masks', { maskCount: 70 }, 'icons teaser'],
  ['headline', { copy: { ...brand.copy, headline: ['Run', 'far.'] } }, 'icons'],
])('another %s makes the media that show it old', (_what, change, media) => {
  expect(describeOldMedia({ ...brand, ...change }, pathOf())).toContain(`-- ${media}, or`);
});

test('other texts, tiers and tests make nothing old', () => {
  const copy = { ...brand.copy, tagline: 'x' };
  writeFileSync(pathOf('art/new.test.ts'), '');
  appendFileSync(pathOf('tokens.css'), '/* a note */\n');
  expect(describeOldMedia({ ...brand, copy, tiers: [] }, pathOf())).toBeNull();
});

test.each(['tokens.css', 'art/ghost.ts', 'fonts.css'])('a new %s is noticed', (file) => {
  if (file === 'tokens.css') writeFileSync(pathOf(file), ':root { --void: #000000; }');
  else appendFileSync(pathOf(file), ' ');
  expect(describeOldMedia(brand, pathOf())).toContain('-- icons teaser, or');
});

test('what is made again is no longer old', () => {
  writeFileSync(pathOf('static/og.jpg'), 'a card');
  note('icons', renamed);
  expect(describeOldMedia(renamed, pathOf())).toContain('-- teaser, or');
});

test('files that the owner has replaced are the owner’s to keep up to date', () => {
  for (const path of [...MADE.icons, ...MADE.teaser]) writeFileSync(pathOf(path), 'mine');
  expect(describeOldMedia(renamed, pathOf())).toBeNull();
});

test('notes that are not JSON are reported in one sentence with the file', () => {
  writeFileSync(pathOf(NOTE_FILE), '<<<<<<< HEAD');
  expect(() => describeOldMedia(brand, pathOf())).toThrow(StartupError);
  expect(() => describeOldMedia(brand, pathOf())).toThrow(`${NOTE_FILE} is not JSON`);
});
