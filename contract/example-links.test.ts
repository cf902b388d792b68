import { expect, test } from 'vitest';
import { isExampleLink } from './example-links.ts';

test.each([
  'mailto:hello@masks.example',
  'mailto:hello@example.com?subject=Hello',
  'https://example.org',
  'https://www.EXAMPLE.net/privacy',
  'https://shop.test:8443/privacy',
  'https://localhost/privacy',
  'https://masks.invalid./#privacy',
])('%s is an example', (link) => {
  expect(isExampleLink(link)).toBe(true);
});

test.each([
  'mailto:test@masks.shop',
  'mailto:hello.example@masks.shop?subject=about.test',
  'https://masks.shop/test',
  'https://masks.shop/?from=example.com',
  'https://example.community/privacy',
  'https://my-example.com',
  'https://test.shop',
])('%s is none', (link) => {
  expect(isExampleLink(link)).toBe(false);
});
