/** The pictures in the documents: each shows its page as it is, and each is shown. */
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { isOld, listPictures } from '../../scripts/pictures/picture-sources.ts';
import { PATHS, readTexts } from './source-files.ts';

test('every picture in the README shows its page as it is', () => {
  const pictures = listPictures();
  expect(pictures.length).toBeGreaterThan(10);
  expect(pictures.filter(isOld), 'To take them again: npm run screenshots').toEqual([]);
});

test('every picture is shown by a document', () => {
  const documents = readTexts(/\.md$/);
  const pictures = PATHS.filter((path) => /^docs\/screenshots\/.*(?<!\.json)$/.test(path));
  expect(pictures.length).toBeGreaterThan(10);
  const isShown = (path: string) => documents.some(({ text }) => text.includes(basename(path)));
  expect(pictures.filter((path) => !isShown(path))).toEqual([]);
});
