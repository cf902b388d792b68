import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { FooterLinks } from './footer-links.tsx';

const contact = 'mailto:hello@masks.shop';
const privacy = 'https://masks.shop/privacy';
const linksIn = (links: Parameters<typeof FooterLinks>[0]) =>
  renderToStaticMarkup(<FooterLinks {...links} />).match(/href="[^"]*"/g) ?? [];

test('the footer leads to contact and privacy as far as the brand has them', () => {
  expect(linksIn({ contact, privacy })).toEqual([`href="${contact}"`, `href="${privacy}"`]);
  expect(linksIn({ privacy })).toEqual([`href="${privacy}"`]);
  expect(renderToStaticMarkup(<FooterLinks />)).toBe('');
});

test('the footer leads to no example', () => {
  const examples = { contact: 'mailto:a@b.example', privacy: 'https://example.com/privacy' };
  expect(linksIn({ contact, privacy: examples.privacy })).toEqual([`href="${contact}"`]);
  expect(linksIn({ contact: examples.contact, privacy })).toEqual([`href="${privacy}"`]);
  expect(renderToStaticMarkup(<FooterLinks {...examples} />)).toBe('');
});
