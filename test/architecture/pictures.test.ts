/** The pictures in the documents: each shows its page as it is, and each is shown. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { isOld, listPictures } from '../../scripts/pictures/picture-sources.ts';

test('every picture in the README shows its page as it is', () => {
  const pictures = listPictures();
  expect(pictures.length).toBeGreaterThan(10);
  expect(pictures.filter(isOld), 'To take them again: npm run screenshots').toEqual([]);
});

test('every picture is shown by a document', () => {
  const documents = globSync(['*.md', 'docs/**/*.md']).map((path) => readFileSync(path, 'utf8'));
  const pictures = globSync('docs/screenshots/**/*.{webp,png,jpg,avif}');
  expect(pictures.length).toBeGreaterThan(10);
  const isShown = (path: string) => documents.some((text) => text.includes(basename(path)));
  expect(pictures.filter((path) => !isShown(path))).toEqual([]);
});
