import { describe, expect, test } from 'vitest';
import { brand } from '../../../brand/brand.ts';
import type { LineRule } from '../../../brand/brand-shape.ts';
import {
  keyFormula,
  POSITIONS_PER_FRIEND,
  type Standing,
  sortKey,
} from '../../../server/line/line-rules.ts';
import { describeLine } from './line-sentences.ts';

const rules: readonly LineRule[] = [{ name: 'points' }, { name: 'skip' }, { name: 'fade' }];
const sentencesOf = (lineRule: LineRule) => describeLine({ ...brand, lineRule });

function isAhead(lineRule: LineRule, one: Standing, other: Standing): boolean {
  return sortKey(keyFormula(lineRule), one) < sortKey(keyFormula(lineRule), other);
}

describe.each(rules)('the rule "$name" in words', (lineRule) => {
  test('is five sentences', () => {
    const sentences = sentencesOf(lineRule);
    expect(sentences).toHaveLength(5);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  test('names no boost and no threshold', () => {
    const numbers = sentencesOf(lineRule).join(' ').match(/\d+/g);
    expect(numbers).toEqual([String(brand.maskCount)]);
    expect(sentencesOf(lineRule).join(' ')).not.toMatch(
      new RegExp(`\\b(two|three|ten|five|twenty|${POSITIONS_PER_FRIEND})\\b`),
    );
  });

  test('names the highest reward alone, as the brand wrote it', () => {
    const rewards = brand.tiers.map(({ reward }) => reward);
    const named = rewards.filter((reward) => sentencesOf(lineRule).join(' ').includes(reward));
    expect(named).toEqual(rewards.slice(-1));
  });

  test('does not promise rewards where the brand has none', () => {
    expect(describeLine({ ...brand, lineRule, tiers: [] }).join(' ')).not.toContain('reward');
  });
});

test('the rules have different sentences', () => {
  const [points = [], skip = [], fade = []] = rules.map(sentencesOf);
  expect(points.filter((sentence) => skip.includes(sentence))).toHaveLength(2);
  expect(points.filter((sentence) => fade.includes(sentence))).toHaveLength(2);
});

describe('what the sentences say is what the line does', () => {
  const late = 90_000;
  const [points, skip, fade] = rules as [LineRule, LineRule, LineRule];

  test('points: more friends go first, invited or not, early or late', () => {
    for (const friends of [0, 1, 5, 40]) {
      const more = { sequence: late, credits: friends + 1, isInvited: false };
      const fewer = { sequence: 1, credits: friends, isInvited: true };
      expect(isAhead(points, more, fewer)).toBe(true);
    }
  });

  test('points: with equal friends the invited goes first, then the earlier', () => {
    for (const credits of [0, 1, 5, 40]) {
      const invited = { sequence: late, credits, isInvited: true };
      expect(isAhead(points, invited, { sequence: 1, credits, isInvited: false })).toBe(true);
      expect(isAhead(points, { sequence: 1, credits, isInvited: true }, invited)).toBe(true);
    }
  });

  test('skip: early goes first, friend and invite are a step each, ties go to the earlier', () => {
    const { perCredit, perInvite } = keyFormula(skip);
    expect(perInvite).toBe(perCredit);
    expect(perCredit).toBeGreaterThan(0);
    const plain = { sequence: 5000, credits: 0, isInvited: false };
    expect(isAhead(skip, plain, { ...plain, sequence: 5001 })).toBe(true);
    const level = { sequence: plain.sequence + POSITIONS_PER_FRIEND, credits: 1, isInvited: false };
    expect(isAhead(skip, plain, level)).toBe(true);
    expect(isAhead(skip, level, { ...plain, sequence: plain.sequence + 1 })).toBe(true);
  });

  test('fade: early goes first, first friends move furthest, an invite as far as one', () => {
    const plain = { sequence: 5_000, credits: 0, isInvited: false };
    expect(isAhead(fade, plain, { ...plain, sequence: 5_001 })).toBe(true);
    const keys = [0, 1, 6, 7, 25, 26].map((credits) =>
      sortKey(keyFormula(fade), { ...plain, credits }),
    );
    const [none = 0, one = 0, six = 0, seven = 0, many = 0, oneMore = 0] = keys;
    expect(none - one).toBeGreaterThan(six - seven);
    expect(six - seven).toBeGreaterThan(many - oneMore);
    expect(many).toBeGreaterThan(oneMore);
    expect(sortKey(keyFormula(fade), { ...plain, isInvited: true })).toBe(one);
  });
});
