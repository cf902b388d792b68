/**
 * The fraud rules. Each rates a join from 0 (nothing suspicious) to 1 (a full match), and adds that
 * part of its weight to the score. See docs/decisions/0084-fraud-signals.md.
 */
import type { Fairness } from '../../brand/brand-shape.ts';
import type { FraudRule } from '../../contract/fraud-rules.ts';
import type { FraudSignals } from '../line/join/signal-columns.ts';
import { Flag } from './join-memory.ts';

/** Counts include the join itself. Of friends and neighbours they are among the newest. */
export type Evidence = {
  /** Bits of `Flag`, of the join. */
  readonly flags: number;
  readonly hasStem: boolean;
  /** Those who came by the same code. */
  readonly friends: {
    readonly all: number;
    /** In the same hour of the clock. */
    readonly sameHour: number;
    readonly withNetwork: number;
    readonly sameNarrow: number;
    readonly sameWide: number;
    readonly sameHints: number;
    readonly sameDomain: number;
    readonly sameStem: number;
    readonly sameShape: number;
    readonly random: number;
    readonly disposable: number;
    readonly coupon: number;
    /** Without the page, or faster than a person types. */
    readonly scripted: number;
  };
  /** Not of the newest alone. */
  readonly allFriends: number;
  /** How many different networks the friends came from. */
  readonly networks: number;
  /** Those who came from the same network, by any code or none. */
  readonly neighbours: {
    readonly all: number;
    readonly otherCodes: number;
    readonly sameStem: number;
    readonly random: number;
    readonly sameHints: number;
  };
  /** The codes, beside this one, that brought people from the wide network. */
  readonly otherWideCodes: number;
  /** Another address of the same mailbox joined before, by whatever code. */
  readonly isKnownMailbox: boolean;
  /** Null when their join is not remembered. */
  readonly referrer: {
    readonly sameMailbox: boolean;
    readonly sameNarrow: boolean;
    readonly sameDomain: boolean;
  } | null;
  /** Other codes with friends from several of the same networks. */
  readonly ringCodes: number;
  /** The whole line, and how many in it are like this join. */
  readonly line: {
    readonly joins: number;
    readonly hinted: number;
    readonly pageLoaded: number;
    readonly fast: number;
    readonly sameHints: number;
    readonly sameShape: number;
    readonly sameDomain: number;
    /** In the hour of the join: who came by a code, and by how many codes. */
    readonly hour: { readonly friends: number; readonly codes: number };
  };
};

/** Fewer others say nothing about what is usual. */
const MIN_OTHERS = 30;

/** 0 up to `from`, 1 from `to` on, and between them in proportion. */
function rise(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** `grade`: as far as a count is from the first to the second step of the rule. */
type Find = (evidence: Evidence, grade: (count: number) => number) => number;

/** How much larger a share is than among all others; 0 when these are few. */
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

const ownMailbox: Find = ({ referrer }) => (referrer?.sameMailbox ? 1 : 0);

const knownMailbox: Find = ({ isKnownMailbox, referrer }) =>
  isKnownMailbox && !referrer?.sameMailbox ? 1 : 0;

const disposable: Find = ({ flags }) => (flags & Flag.disposable ? 1 : 0);

const disposableFriends: Find = ({ flags, friends }, grade) =>
  flags & Flag.disposable
    ? grade(friends.disposable) * rise(friends.disposable / friends.all, 0.04, 0.1)
    : 0;

const unreachable: Find = ({ flags }) => (flags & Flag.unreachable ? 1 : 0);

/**
 * Many codes from one network are an office, a campus or a carrier, where one code may have more
 * friends. Most friends of a code with an audience come from elsewhere. A wide network has twice
 * the room.
 */
const sameNetwork: Find = ({ friends, neighbours, otherWideCodes }, grade) => {
  const share = (same: number) => same / Math.max(1, friends.withNetwork);
  const narrow =
    grade(friends.sameNarrow - Math.min(20, neighbours.otherCodes)) *
    rise(share(friends.sameNarrow), 0.08, 0.2);
  const wide =
    grade((friends.sameWide - Math.min(20, otherWideCodes)) / 2) *
    rise(share(friends.sameWide), 0.25, 0.5);
  return Math.max(narrow, wide);
};

const networkFlood: Find = ({ friends, neighbours, otherWideCodes }, grade) =>
  Math.max(
    grade(friends.sameNarrow - 2 * neighbours.otherCodes) *
      rise(friends.sameNarrow / friends.all, 0.2, 0.4),
    grade(friends.sameWide - 2 * otherWideCodes) * rise(friends.sameWide / friends.all, 0.4, 0.6),
  );

const referrerNetwork: Find = ({ referrer, friends, neighbours }, grade) =>
  referrer?.sameNarrow ? grade(friends.sameNarrow - Math.min(10, neighbours.otherCodes)) : 0;

/** Friends spread thinly over a few networks, none of which is that of an office. */
const fewNetworks: Find = ({ friends, networks }, grade) =>
  friends.withNetwork < 8 || friends.sameNarrow < 2 || networks < 2
    ? 0
    : grade(friends.withNetwork / networks) *
      rise(1 - friends.sameNarrow / friends.withNetwork, 0.4, 0.55);

const ring: Find = ({ ringCodes, friends }, grade) =>
  friends.sameNarrow > 0 ? grade(ringCodes) : 0;

/** Among the friends, or among all who came from the network. */
const sameBrowser: Find = (evidence, grade) => {
  const { friends, neighbours } = evidence;
  const ofFriends = { like: friends.sameHints, of: friends.all, same: 'sameHints' } as const;
  const nearby = { like: neighbours.sameHints, of: neighbours.all, same: 'sameHints' } as const;
  return Math.max(
    grade(friends.sameHints) * rise(excess(evidence, ofFriends), 0.3, 0.7),
    grade(neighbours.sameHints - 1) * rise(excess(evidence, nearby), 0.5, 0.85),
  );
};

/** More friends in an hour than other codes bring in it. */
const burst: Find = ({ friends, line: { hour } }, grade) =>
  grade(friends.sameHour - (hour.friends - friends.sameHour) / Math.max(1, hour.codes - 1));

const addressSeries: Find = ({ hasStem, friends }, grade) =>
  hasStem ? grade(friends.sameStem) * rise(friends.sameStem / friends.all, 0.2, 0.3) : 0;

/** The numbers of one name, among the friends or in the network; or one form of many names. */
const addressPattern: Find = (evidence, grade) => {
  const { hasStem, friends, neighbours } = evidence;
  if (!hasStem) return 0;
  const shaped = { like: friends.sameShape, of: friends.all, same: 'sameShape' } as const;
  return Math.max(
    grade(friends.sameStem) * rise(friends.sameStem / friends.all, 0.1, 0.25),
    grade(neighbours.sameStem) * rise(neighbours.sameStem / neighbours.all, 0.1, 0.25),
    grade(friends.sameShape - 2) * rise(excess(evidence, shaped), 0.2, 0.4),
  );
};

const randomAddresses: Find = ({ flags, friends, neighbours }, grade) =>
  flags & Flag.random
    ? Math.max(
        grade(friends.random) * rise(friends.random / friends.all, 0.1, 0.25),
        grade(neighbours.random) * rise(neighbours.random / neighbours.all, 0.1, 0.25),
      )
    : 0;

/** Colleagues of the referrer have their domain. */
const rareDomain: Find = (evidence, grade) =>
  grade(rareFriends(evidence)) *
  rise(evidence.friends.sameDomain / evidence.friends.all, 0.1, 0.25) *
  (evidence.referrer?.sameDomain ? 0.25 : 1);

const domainFlood: Find = (evidence, grade) =>
  evidence.referrer?.sameDomain
    ? 0
    : grade(rareFriends(evidence)) *
      rise(evidence.friends.sameDomain / evidence.friends.all, 0.3, 0.5);

/** A code of which most friends come by a script, in a line of people who open the page. */
const scriptedFriends: Find = ({ flags, friends, allFriends, line }, grade) => {
  const others = line.joins - allFriends;
  if (!isScripted(flags) || others < MIN_OTHERS) return 0;
  const share = friends.scripted / friends.all;
  const inLine = line.joins - line.pageLoaded + line.fast;
  const usual = Math.max(0, inLine - share * allFriends) / others;
  return grade(friends.scripted) * rise(share - usual, 0.3, 0.5);
};

/** Friends at the domain; fewer the more others have it, none at a provider. */
function rareFriends({ flags, friends, allFriends, line }: Evidence): number {
  if (flags & Flag.provider) return 0;
  const own = (friends.sameDomain / friends.all) * allFriends;
  return friends.sameDomain - 2 * Math.max(0, line.sameDomain - own);
}

/** As rare as it is in this line: where nobody loads a page, it says nothing. */
const noPage: Find = ({ flags, line }) =>
  flags & Flag.pageLoaded || line.joins < MIN_OTHERS
    ? 0
    : rise(line.pageLoaded / line.joins, 0.3, 0.7);

const fastForm: Find = ({ flags, line }) =>
  !(flags & Flag.fast) || line.joins < MIN_OTHERS ? 0 : rise(1 - line.fast / line.joins, 0.3, 0.7);

const couponSite: Find = ({ flags }) => (flags & Flag.coupon ? 1 : 0);

const couponFriends: Find = ({ friends }, grade) =>
  grade(friends.coupon) * rise(friends.coupon / friends.all, 0.15, 0.4);

const RULES: Readonly<Record<Exclude<FraudRule, 'code-on-hold'>, Find>> = {
  'own-mailbox': ownMailbox,
  'known-mailbox': knownMailbox,
  disposable,
  'disposable-friends': disposableFriends,
  unreachable,
  'same-network': sameNetwork,
  'network-flood': networkFlood,
  'referrer-network': referrerNetwork,
  'few-networks': fewNetworks,
  ring,
  'same-browser': sameBrowser,
  burst,
  'address-series': addressSeries,
  'address-pattern': addressPattern,
  'random-addresses': randomAddresses,
  'rare-domain': rareDomain,
  'domain-flood': domainFlood,
  'no-page': noPage,
  'fast-form': fastForm,
  'scripted-friends': scriptedFriends,
  'coupon-site': couponSite,
  'coupon-friends': couponFriends,
};

/** Whether the form was sent without the page, or faster than a person types: bits of `Flag`. */
export function isScripted(flags: number): boolean {
  return !(flags & Flag.pageLoaded) || (flags & Flag.fast) !== 0;
}

const NO_STEPS = { from: 0, to: 1 };

/**
 * Weighs what is known of a join: the rules that match, those with the most points first, and all
 * points together; null for none.
 */
export function openRules(rules: Fairness['rules']): (evidence: Evidence) => FraudSignals | null {
  const weighed = Object.entries(RULES).map(([name, find]) => {
    const rule: Fairness['rules'][keyof typeof RULES] = rules[name as keyof typeof RULES];
    const { from, to } = 'from' in rule ? rule : NO_STEPS;
    const grade = (count: number) => rise(count, from, to);
    return { name, find, grade, weight: rule.weight };
  });
  return (evidence) => {
    const found: { name: string; points: number }[] = [];
    for (const { name, find, grade, weight } of weighed) {
      const points = Math.round(find(evidence, grade) * weight);
      if (points > 0) found.push({ name, points });
    }
    if (found.length === 0) return null;
    return {
      rules: found.toSorted((a, b) => b.points - a.points).map(({ name }) => name),
      score: found.reduce((sum, { points }) => sum + points, 0),
    };
  };
}
