/**
 * The fraud rules. Each rates a join from 0 (nothing suspicious) to 1 (a full match), and adds that
 * part of its weight to the score. See docs/decisions/0084-fraud-signals.md.
 */
import type { Fairness } from '../../brand/brand-shape.ts';
import type { FraudRule } from '../../contract/fraud-rules.ts';
import type { FraudSignals } from '../line/join/join-request.ts';
import { type Evidence, isScripted } from './evidence.ts';
import { Flag } from './join-memory.ts';

/** Below this sample size the base rate is unknown. */
const MIN_OTHERS = 30;

function rise(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

type Rate = (evidence: Evidence, grade: (count: number) => number) => number;

function excess(
  { allFriends, friends, line }: Evidence,
  { like, of, same }: { like: number; of: number; same: 'sameHints' | 'sameShape' },
): number {
  const others = (same === 'sameHints' ? line.hinted : line.joins) - allFriends;
  if (others < MIN_OTHERS) return 0;
  const own = (friends[same] / friends.all) * allFriends;
  const usual = Math.max(0, line[same] - own) / others;
  return Math.max(0, like / of - usual) / Math.max(0.2, 1 - usual);
}

function rareFriends({ flags, friends, allFriends, line }: Evidence): number {
  if (flags & Flag.provider) return 0;
  const own = (friends.sameDomain / friends.all) * allFriends;
  return friends.sameDomain - 2 * Math.max(0, line.sameDomain - own);
}

const RULES: Readonly<Record<Exclude<FraudRule, 'code-on-hold'>, Rate>> = {
  'own-mailbox': ({ referrer }) => (referrer?.sameMailbox ? 1 : 0),

  'known-mailbox': ({ isKnownMailbox, referrer }) =>
    isKnownMailbox && !referrer?.sameMailbox ? 1 : 0,

  disposable: ({ flags }) => (flags & Flag.disposable ? 1 : 0),

  'disposable-friends': ({ flags, friends }, grade) =>
    flags & Flag.disposable
      ? grade(friends.disposable) * rise(friends.disposable / friends.all, 0.04, 0.1)
      : 0,

  unreachable: ({ flags }) => (flags & Flag.unreachable ? 1 : 0),

  /**
   * Many codes from one network are an office, a campus or a carrier, where one code may have more
   * friends. Most friends of a code with an audience come from elsewhere.
   */
  'same-network': ({ friends, neighbours, otherWideCodes }, grade) => {
    const share = (same: number) => same / Math.max(1, friends.withNetwork);
    const narrow =
      grade(friends.sameNarrow - Math.min(20, neighbours.otherCodes)) *
      rise(share(friends.sameNarrow), 0.08, 0.2);
    const wide =
      grade((friends.sameWide - Math.min(20, otherWideCodes)) / 2) *
      rise(share(friends.sameWide), 0.25, 0.5);
    return Math.max(narrow, wide);
  },

  'network-flood': ({ friends, neighbours, otherWideCodes }, grade) =>
    Math.max(
      grade(friends.sameNarrow - 2 * neighbours.otherCodes) *
        rise(friends.sameNarrow / friends.all, 0.2, 0.4),
      grade(friends.sameWide - 2 * otherWideCodes) * rise(friends.sameWide / friends.all, 0.4, 0.6),
    ),

  'referrer-network': ({ referrer, friends, neighbours }, grade) =>
    referrer?.sameNarrow ? grade(friends.sameNarrow - Math.min(10, neighbours.otherCodes)) : 0,

  'few-networks': ({ friends, networks }, grade) =>
    friends.withNetwork < 8 || friends.sameNarrow < 2 || networks < 2
      ? 0
      : grade(friends.withNetwork / networks) *
        rise(1 - friends.sameNarrow / friends.withNetwork, 0.4, 0.55),

  ring: ({ ringCodes, friends }, grade) => (friends.sameNarrow > 0 ? grade(ringCodes) : 0),

  'same-browser': (evidence, grade) => {
    const { friends, neighbours } = evidence;
    const ofFriends = { like: friends.sameHints, of: friends.all, same: 'sameHints' } as const;
    const nearby = { like: neighbours.sameHints, of: neighbours.all, same: 'sameHints' } as const;
    return Math.max(
      grade(friends.sameHints) * rise(excess(evidence, ofFriends), 0.3, 0.7),
      grade(neighbours.sameHints - 1) * rise(excess(evidence, nearby), 0.5, 0.85),
    );
  },

  burst: ({ friends, line: { hour } }, grade) =>
    grade(friends.sameHour - (hour.friends - friends.sameHour) / Math.max(1, hour.codes - 1)),

  'address-series': ({ hasStem, friends }, grade) =>
    hasStem ? grade(friends.sameStem) * rise(friends.sameStem / friends.all, 0.2, 0.3) : 0,

  'address-pattern': (evidence, grade) => {
    const { hasStem, friends, neighbours } = evidence;
    if (!hasStem) return 0;
    const shaped = { like: friends.sameShape, of: friends.all, same: 'sameShape' } as const;
    return Math.max(
      grade(friends.sameStem) * rise(friends.sameStem / friends.all, 0.1, 0.25),
      grade(neighbours.sameStem) * rise(neighbours.sameStem / neighbours.all, 0.1, 0.25),
      grade(friends.sameShape - 2) * rise(excess(evidence, shaped), 0.2, 0.4),
    );
  },

  'random-addresses': ({ flags, friends, neighbours }, grade) =>
    flags & Flag.random
      ? Math.max(
          grade(friends.random) * rise(friends.random / friends.all, 0.1, 0.25),
          grade(neighbours.random) * rise(neighbours.random / neighbours.all, 0.1, 0.25),
        )
      : 0,

  'rare-domain': (evidence, grade) =>
    grade(rareFriends(evidence)) *
    rise(evidence.friends.sameDomain / evidence.friends.all, 0.1, 0.25) *
    (evidence.referrer?.sameDomain ? 0.25 : 1),

  'domain-flood': (evidence, grade) =>
    evidence.referrer?.sameDomain
      ? 0
      : grade(rareFriends(evidence)) *
        rise(evidence.friends.sameDomain / evidence.friends.all, 0.3, 0.5),

  /** A missing page load is suspicious only in a line where most joins load a page. */
  'no-page': ({ flags, line }) =>
    flags & Flag.pageLoaded || line.joins < MIN_OTHERS
      ? 0
      : rise(line.pageLoaded / line.joins, 0.3, 0.7),

  'fast-form': ({ flags, line }) =>
    !(flags & Flag.fast) || line.joins < MIN_OTHERS
      ? 0
      : rise(1 - line.fast / line.joins, 0.3, 0.7),

  'scripted-friends': ({ flags, friends, allFriends, line }, grade) => {
    const others = line.joins - allFriends;
    if (!isScripted(flags) || others < MIN_OTHERS) return 0;
    const share = friends.scripted / friends.all;
    const inLine = line.joins - line.pageLoaded + line.fast;
    const usual = Math.max(0, inLine - share * allFriends) / others;
    return grade(friends.scripted) * rise(share - usual, 0.3, 0.5);
  },

  'coupon-site': ({ flags }) => (flags & Flag.coupon ? 1 : 0),

  'coupon-friends': ({ friends }, grade) =>
    grade(friends.coupon) * rise(friends.coupon / friends.all, 0.15, 0.4),
};

const NO_STEPS = { from: 0, to: 1 };

/** Names the weightiest rules first; null when none matches. */
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
