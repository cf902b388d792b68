import { expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { describeExamples } from './describe-examples.ts';

const contact = 'mailto:hello@masks.shop';
const privacy = 'https://masks.shop/privacy';

const product = { areExamples: false };

test('example links are reported with their keys, and example facts with what to do', () => {
  expect(describeExamples(brand)).toEqual([
    'The footer of the pages shows no link to contact and privacy: links.contact and ' +
      'links.privacy in brand/brand.ts are examples. Put in your own, and start again.',
    'The landing page shows facts and sizes in cm that are examples: put your own into product ' +
      'and sizes in brand/brand.ts, set product.areExamples to false, and build again.',
  ]);
  expect(describeExamples({ links: { contact, privacy: 'https://a.test' }, product })).toEqual([
    'The footer of the pages shows no link to privacy: links.privacy in brand/brand.ts is an ' +
      'example. Put in your own, and start again.',
  ]);
});

test.each([{ contact, privacy }, { contact }, {}])('%j needs no report', (links) => {
  expect(describeExamples({ links, product })).toEqual([]);
});
