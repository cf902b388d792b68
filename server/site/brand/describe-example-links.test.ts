import { expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { describeExampleLinks } from './describe-example-links.ts';

const contact = 'mailto:hello@masks.shop';
const privacy = 'https://masks.shop/privacy';

test('example links are reported with their keys, and what to do', () => {
  expect(describeExampleLinks(brand)).toBe(
    'The footer of the pages shows no link to contact and privacy: links.contact and ' +
      'links.privacy in brand/brand.ts are examples. Put in your own, and start again.',
  );
  expect(describeExampleLinks({ links: { contact, privacy: 'https://a.test' } })).toBe(
    'The footer of the pages shows no link to privacy: links.privacy in brand/brand.ts is an ' +
      'example. Put in your own, and start again.',
  );
});

test.each([{ contact, privacy }, { contact }, {}])('%j needs no report', (links) => {
  expect(describeExampleLinks({ links })).toBeNull();
});
