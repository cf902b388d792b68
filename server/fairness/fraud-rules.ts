/** Each rule rates a join from 0 to 1, and adds that part of its weight (decision 0084). */
import type { Fairness } from '../../brand/brand-shape.ts';
import type { FraudRule } from '../../contract/fraud-rules.ts';
import type { FraudSignals } from '../line/join/join-request.ts';
import type { Evidence } from './evidence.ts';
import { Flag } from './join-memory.ts';

/** Below this sample size the base rate is unknown. */
const MIN_OTHERS = 30;

function rise(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

type Rate = (evidence: Evidence, grade: (count: number) => number) => number;

function excessOfBrowser({ friends, line }: Evidence): number {
  const others = line.hinted - friends.all;
  if (others < MIN_OTHERS) return 0;
  const usual = Math.max(0, line.sameHints - friends.sameHints) / others;
  const share = friends.sameBrowser / friends.sameNarrow;
  return Math.max(0, share - usual) / Math.max(0.2, 1 - usual);
}

const RULES: Readonly<Record<Exclude<FraudRule, 'code-on-hold'>, Rate>> = {
  'own-mailbox': ({ isOwnMailbox }) => Number(isOwnMailbox),

  'known-mailbox': ({ isKnownMailbox, isOwnMailbox }) => Number(isKnownMailbox && !isOwnMailbox),

  disposable: ({ flags }) => (flags & Flag.disposable ? 1 : 0),

  unreachable: ({ flags }) => (flags & Flag.unreachable ? 1 : 0),

  'address-series': ({ friends }, grade) =>
    grade(friends.sameStem) * rise(friends.sameStem / friends.all, 0.2, 0.3),

  'random-address': ({ flags }) => (flags & Flag.random ? 1 : 0),

  /** Many codes of one network are an office or a carrier, where one may have more friends. */
  'same-network': ({ friends, otherCodes, otherWideCodes }, grade) => {
    const share = (same: number) => same / Math.max(1, friends.withNetwork);
    const narrow =
      grade(friends.sameNarrow - Math.min(20, otherCodes)) *
      rise(share(friends.sameNarrow), 0.08, 0.2);
    const wide =
      grade((friends.sameWide - Math.min(20, otherWideCodes)) / 2) *
      rise(share(friends.sameWide), 0.25, 0.5);
    return Math.max(narrow, wide);
  },

  'network-flood': ({ friends, otherCodes, otherWideCodes }, grade) =>
    Math.max(
      grade(friends.sameNarrow - 2 * otherCodes) * rise(friends.sameNarrow / friends.all, 0.2, 0.4),
      grade(friends.sameWide - 2 * otherWideCodes) * rise(friends.sameWide / friends.all, 0.4, 0.6),
    ),

  'same-browser': (evidence, grade) =>
    grade(evidence.friends.sameBrowser - Math.min(20, evidence.otherCodes)) *
    rise(excessOfBrowser(evidence), 0.5, 0.85),

  /** Suspicious only where most joins load a page: some people change networks in between. */
  'no-page': ({ flags, friends, line }) => {
    if (flags & Flag.pageLoaded || line.joins < MIN_OTHERS) return 0;
    const isUsual = friends.scripted > Math.max(1, friends.sameWide / 2);
    return rise(line.pageLoaded / line.joins, 0.3, 0.7) * (isUsual ? 1 : 0.4);
  },

  'fast-form': ({ flags }) => (flags & Flag.fast ? 1 : 0),
};

const NO_STEPS = { from: 0, to: 1 };

export function openRules(rules: Fairness['rules']): (evidence: Evidence) => FraudSignals | null {
  const weighed = Object.entries(RULES).map(([name, rate]) => {
    const rule: Fairness['rules'][keyof typeof RULES] = rules[name as keyof typeof RULES];
    const { from, to } = 'from' in rule ? rule : NO_STEPS;
    const grade = (count: number) => rise(count, from, to);
    return { name, rate, grade, weight: rule.weight };
  });
  return (evidence) => {
    const found: { name: string; points: number }[] = [];
    for (const { name, rate, grade, weight } of weighed) {
      const points = Math.round(rate(evidence, grade) * weight);
      if (points > 0) found.push({ name, points });
    }
    if (found.length === 0) return null;
    return {
      rules: found.toSorted((a, b) => b.points - a.points).map(({ name }) => name),
      score: found.reduce((sum, { points }) => sum + points, 0),
    };
  };
}
