import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DotNumber } from './dot-number.tsx';

test('the text of a dot number is the plain number, once', () => {
  const html = renderToStaticMarkup(<DotNumber prefix="#" value={1234567} />);
  expect(html.replace(/<[^>]*>/g, '')).toBe('#1234567');
});

test('its size follows from how many characters it has', () => {
  expect(renderToStaticMarkup(<DotNumber prefix="#" value={128} />)).toContain('data-length="4"');
});
