/** The product belongs to no brand: only a brand's own folder names it. */
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { readTexts } from './source-files.ts';

const code = readTexts(/^(?!brand\/|docs\/)\w+\/.*\.(tsx?|mjs|css|sql|json)$/);
const isTest = (path: string) => path.startsWith('test/') || /\.test\.tsx?$/.test(path);
const product = code.filter(({ path }) => !isTest(path));

const { name } = brand;
const { memberName, joined, statusLoading, statusNotFound, totalMembers } = brand.specified;
const nameInAnyForm = new RegExp(name.replace(' ', '[ _-]?'), 'i');
const memberWord = new RegExp(`\\b${memberName}s?\\b`);

/** Tests compare the first brand's texts with docs/behaviour.md, so they may quote these. */
const quotes = [joined, statusLoading, statusNotFound, totalMembers, `${memberName} #`];
const withoutQuotes = (text: string) =>
  quotes.reduce((left, quote) => left.replaceAll(quote, ''), text.replaceAll('\\.', '.'));

test('no file outside brand/ mentions the brand or calls members by its word', () => {
  const found = code.flatMap(({ path, text }) =>
    (isTest(path) ? withoutQuotes(text) : text)
      .split('\n')
      .filter((line) => nameInAnyForm.test(line) || memberWord.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

test('no code outside brand/ has a colour of its own', () => {
  const found = product.flatMap(({ path, text }) => {
    // In a mask, black only says how much of a picture shows.
    const colours = text.match(/#[0-9a-f]{6}\b|\brgba?\((?!0 0 0)\d/gi) ?? [];
    return colours.map((colour) => `${path}: ${colour}`);
  });
  expect(found).toEqual([]);
});

test('no page asks the brand for thresholds, stock or mails, which its scripts lack', () => {
  const pages = product.filter(({ path }) => path.startsWith('web/'));
  expect(pages.length).toBeGreaterThan(100);
  const asking = pages.filter(({ text }) => /requiredReferrals|\.stock\b|\.mails\b/.test(text));
  expect(asking.map(({ path }) => path)).toEqual([]);
});
