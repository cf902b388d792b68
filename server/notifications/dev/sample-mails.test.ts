import { expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { sampleMails } from './sample-mails.ts';

const contentsFor = (tiers: typeof brand.tiers) =>
  sampleMails('http://localhost', tiers).map(({ content }) => content);

test('the sample of a tier has its own reward, and then the next one', () => {
  const tier = contentsFor(brand.tiers).find(({ kind }) => kind === 'tier');
  const [, second, third] = brand.tiers;
  expect(tier).toMatchObject({ level: 2, reward: second?.reward, nextTier: third });
});

test('a brand with one tier or none has a sample of each mail, too', () => {
  for (const tiers of [brand.tiers.slice(0, 1), []])
    expect(contentsFor(tiers)).toContainEqual(
      expect.objectContaining({ kind: 'tier', level: 1, nextTier: null }),
    );
});
