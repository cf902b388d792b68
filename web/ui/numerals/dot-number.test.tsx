import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DotNumber } from './dot-number.tsx';

test('its text is the number with separators, once', () => {
  const html = renderToStaticMarkup(<DotNumber prefix="#" value={1234567} />);
  expect(html.replace(/<[^>]*>/g, '')).toBe('#1,234,567');
});

test('its size follows its number of characters', () => {
  expect(renderToStaticMarkup(<DotNumber prefix="#" value={128} />)).toContain('data-length="4"');
});
