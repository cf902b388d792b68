import { describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import { type Standing, sortKey } from '../../../server/line/line-rules.ts';
import { describeLine } from './line-sentences.ts';

const sentences = describeLine(brand);

const isAhead = (one: Standing, other: Standing) => sortKey(one) < sortKey(other);

describe('the line in words', () => {
  test('is five sentences', () => {
    expect(sentences).toHaveLength(5);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  test('names no boost and no threshold', () => {
    const numbers = sentences.join(' ').match(/\d+/g);
    expect(numbers).toEqual([String(brand.maskCount)]);
    expect(sentences.join(' ')).not.toMatch(/\b(two|three|ten|five|twenty)\b/);
  });

  test('names the highest reward alone, as the brand wrote it', () => {
    const rewards = brand.tiers.map(({ reward }) => reward);
    const named = rewards.filter((reward) => sentences.join(' ').includes(reward));
    expect(named).toEqual(rewards.slice(-1));
  });

  test('does not promise rewards where the brand has none', () => {
    expect(describeLine({ ...brand, tiers: [] }).join(' ')).not.toContain('reward');
  });
});

describe('what the sentences say is what the line does', () => {
  const late = 90_000;

  test('more friends go first, invited or not, early or late', () => {
    for (const friends of [0, 1, 5, 40]) {
      const more = { sequence: late, credits: friends + 1, isInvited: false };
      const fewer = { sequence: 1, credits: friends, isInvited: true };
      expect(isAhead(more, fewer)).toBe(true);
    }
  });

  test('with equal friends the invited goes first, then the earlier', () => {
    for (const credits of [0, 1, 5, 40]) {
      const invited = { sequence: late, credits, isInvited: true };
      expect(isAhead(invited, { sequence: 1, credits, isInvited: false })).toBe(true);
      expect(isAhead({ sequence: 1, credits, isInvited: true }, invited)).toBe(true);
    }
  });
});
