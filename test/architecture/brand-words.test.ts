/** The product belongs to no brand: only a brand's own folder names it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
});
const FOLDERS = ['bench', 'contract', 'mails', 'scripts', 'server', 'studio', 'test', 'web'];
const folderOf = (path: string) => path.split('/')[0] ?? '';
const code = [...new Set(listed.split('\n'))].filter(
  (path) =>
    FOLDERS.includes(folderOf(path)) &&
    /\.(ts|tsx|mjs|css|sql|json)$/.test(path) &&
    existsSync(path),
);
const isTest = (path: string) => path.startsWith('test/') || /\.test\.tsx?$/.test(path);

const { name } = brand;
const { memberName, joined, statusLoading, statusNotFound, totalMembers } = brand.specified;
const nameInAnyForm = new RegExp(name.replace(' ', '[ _-]?'), 'i');
const memberWord = new RegExp(`\\b${memberName}s?\\b`);

/** Tests compare the first brand's texts with docs/behaviour.md, so they may quote these. */
const quotes = [joined, statusLoading, statusNotFound, totalMembers, `${memberName} #`];
const withoutQuotes = (text: string) =>
  quotes.reduce((left, quote) => left.replaceAll(quote, ''), text.replaceAll('\\.', '.'));

test('no file outside brand/ mentions the brand or calls members by its word', () => {
  expect([...new Set(code.map(folderOf))].toSorted()).toEqual(FOLDERS);
  const found = code.flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const own = isTest(path) ? withoutQuotes(text) : text;
    return own
      .split('\n')
      .filter((line) => nameInAnyForm.test(line) || memberWord.test(line))
      .map((line) => `${path}: ${line.trim()}`);
  });
  expect(found).toEqual([]);
});

test('no code outside brand/ paints in a colour of its tokens', () => {
  const hexes = readFileSync('brand/tokens.css', 'utf8').match(/#[0-9a-f]{6}\b/g) ?? [];
  const channels = hexes.map((hex) => [1, 3, 5].map((at) => Number(`0x${hex.slice(at, at + 2)}`)));
  const tokens = [...hexes, ...channels.map((rgb) => rgb.join(', '))];
  expect(tokens.length).toBeGreaterThan(10);
  const found = code
    .filter((path) => !isTest(path))
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8').toLowerCase();
      return tokens.filter((token) => text.includes(token)).map((token) => `${path}: ${token}`);
    });
  expect(found).toEqual([]);
});

test('no code outside brand/ has a colour of its own', () => {
  const found = code
    .filter((path) => !isTest(path))
    .flatMap((path) => {
      // In a mask, black only says how much of a picture shows.
      const colours = readFileSync(path, 'utf8').match(/#[0-9a-f]{6}\b|\brgb\((?!0 0 0)\d/gi) ?? [];
      return colours.map((colour) => `${path}: ${colour}`);
    });
  expect(found).toEqual([]);
});

test('no page asks the brand for thresholds, stock or mails, which its scripts lack', () => {
  const pages = code.filter((path) => path.startsWith('web/') && !isTest(path));
  expect(
    pages.filter((path) =>
      /requiredReferrals|\.stock\b|\.mails\b/.test(readFileSync(path, 'utf8')),
    ),
  ).toEqual([]);
});
