import { expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { MAIL_SHAPES } from '../../../brand/mail-shape.ts';
import { sampleMails } from './sample-mails.ts';

test('the sample of a tier has its own reward, and then the next one', () => {
  const tier = sampleMails(brand).find(({ kind }) => kind === 'tier');
  const [, second, third] = brand.tiers;
  expect(tier?.content).toMatchObject({
    values: { level: 2, reward: second?.reward },
    facts: { nextReward: third?.reward },
  });
});

test.each([3, 1, 0])('every kind has a sample if the brand has %i tiers', (count) => {
  const samples = sampleMails({ tiers: brand.tiers.slice(0, count) });
  const kinds = new Set(samples.map(({ kind }) => kind));
  expect([...kinds]).toEqual(Object.keys(MAIL_SHAPES));
});
