import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DotNumber, diffDigits } from './dot-number.tsx';

test('its text is the number with separators, once', () => {
  const html = renderToStaticMarkup(<DotNumber prefix="#" value={1234567} />);
  expect(html.replace(/<[^>]*>/g, '')).toBe('#1,234,567');
});

test('its size follows its number of characters', () => {
  expect(renderToStaticMarkup(<DotNumber prefix="#" value={128} />)).toContain('data-length="4"');
});

const read = (before: string | null, now: string) =>
  diffDigits(before, now).map(({ digit, was }) => `${was ?? ''}>${digit}`);

test('only digits that differ have one before them', () => {
  expect(read('128', '126')).toEqual(['>1', '>2', '8>6']);
});

test('units are compared with units when the number gets shorter or longer', () => {
  expect(read('100', '99')).toEqual(['0>9', '0>9']);
  expect(read('99', '100')).toEqual(['>1', '9>0', '9>0']);
});

test('without a number before it no digit has one', () => {
  expect(read(null, '7')).toEqual(['>7']);
});
