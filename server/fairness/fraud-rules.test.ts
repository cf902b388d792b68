import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { FRAUD_RULES } from '../../contract/fraud-rules.ts';
import type { Evidence } from './evidence.ts';
import { openRules } from './fraud-rules.ts';
import { Flag } from './join-memory.ts';

/** One friend among ten from everywhere, in a line of 1,000 people who opened the page. */
const honest: Evidence = {
  flags: Flag.pageLoaded | Flag.provider,
  hasStem: false,
  friends: {
    all: 10,
    sameHour: 3,
    withNetwork: 10,
    sameNarrow: 1,
    sameWide: 1,
    sameHints: 2,
    sameDomain: 5,
    sameStem: 0,
    sameShape: 0,
    random: 0,
    disposable: 0,
    coupon: 0,
    scripted: 1,
  },
  allFriends: 10,
  networks: 10,
  neighbours: { all: 1, otherCodes: 0, sameStem: 0, random: 0, sameHints: 1 },
  otherWideCodes: 0,
  isKnownMailbox: false,
  referrer: { sameMailbox: false, sameNarrow: false, sameDomain: true },
  ringCodes: 0,
  line: {
    joins: 1_000,
    hinted: 1_000,
    pageLoaded: 950,
    fast: 5,
    sameHints: 200,
    sameShape: 50,
    sameDomain: 400,
    hour: { friends: 9, codes: 6 },
  },
};

const weighSignals = openRules(brand.fairness.rules);
const rulesOf = (evidence: Evidence) => weighSignals(evidence)?.rules.toSorted() ?? [];
const friends = (some: Partial<Evidence['friends']>) => ({ ...honest.friends, ...some });
const neighbours = (some: Partial<Evidence['neighbours']>) => ({ ...honest.neighbours, ...some });
const line = (some: Partial<Evidence['line']>) => ({ ...honest.line, ...some });
const referrer = { sameMailbox: false, sameNarrow: false, sameDomain: false };
const marked = (flag: number) => honest.flags | flag;
const atRareDomain = honest.flags & ~Flag.provider;

test('nothing speaks against a friend among friends', () => {
  expect(weighSignals(honest)).toBeNull();
});

/** Each: what a rule looks for, and the same where it is honest. */
const CASES: Record<string, { found: Partial<Evidence>; honest: Partial<Evidence> }> = {
  'own-mailbox': {
    found: { referrer: { ...referrer, sameMailbox: true } },
    honest: { referrer: null },
  },
  'known-mailbox': { found: { isKnownMailbox: true }, honest: {} },
  disposable: { found: { flags: marked(Flag.disposable) }, honest: {} },
  'disposable-friends': {
    found: { flags: marked(Flag.disposable), friends: friends({ disposable: 4 }) },
    honest: { friends: friends({ disposable: 4 }) },
  },
  unreachable: { found: { flags: marked(Flag.unreachable) }, honest: {} },
  'same-network': {
    found: { friends: friends({ sameNarrow: 8 }) },
    honest: { friends: friends({ sameNarrow: 8 }), neighbours: neighbours({ otherCodes: 5 }) },
  },
  'network-flood': {
    found: { friends: friends({ all: 100, sameNarrow: 90 }) },
    honest: { friends: friends({ all: 256, sameNarrow: 50 }) },
  },
  'referrer-network': {
    found: { friends: friends({ sameNarrow: 2 }), referrer: { ...referrer, sameNarrow: true } },
    honest: {
      friends: friends({ sameNarrow: 2 }),
      neighbours: neighbours({ otherCodes: 9 }),
      referrer: { ...referrer, sameNarrow: true },
    },
  },
  'few-networks': {
    found: { networks: 3, friends: friends({ sameNarrow: 3 }) },
    honest: { networks: 8, friends: friends({ sameNarrow: 2 }) },
  },
  ring: { found: { ringCodes: 2 }, honest: {} },
  'same-browser': {
    found: { friends: friends({ sameHints: 10 }) },
    honest: { friends: friends({ sameHints: 10 }), line: line({ sameHints: 990 }) },
  },
  burst: {
    found: { friends: friends({ all: 150, sameHour: 120 }) },
    honest: {
      friends: friends({ all: 150, sameHour: 120 }),
      line: line({ hour: { friends: 1_120, codes: 11 } }),
    },
  },
  'address-series': {
    found: { hasStem: true, friends: friends({ sameStem: 8 }) },
    honest: { hasStem: true, friends: friends({ sameStem: 8, all: 256 }) },
  },
  'address-pattern': {
    found: { hasStem: true, neighbours: neighbours({ all: 8, sameStem: 5 }) },
    honest: { hasStem: true, friends: friends({ sameShape: 9 }), line: line({ sameShape: 900 }) },
  },
  'random-addresses': {
    found: { flags: marked(Flag.random), friends: friends({ random: 4 }) },
    honest: { flags: marked(Flag.random), friends: friends({ random: 1 }) },
  },
  'rare-domain': {
    found: {
      flags: atRareDomain,
      friends: friends({ sameDomain: 6 }),
      line: line({ sameDomain: 6 }),
    },
    honest: { flags: atRareDomain, friends: friends({ sameDomain: 6 }) },
  },
  'domain-flood': {
    found: {
      flags: atRareDomain,
      friends: friends({ all: 80, sameDomain: 80 }),
      allFriends: 80,
      line: line({ sameDomain: 80 }),
      referrer,
    },
    honest: {
      flags: atRareDomain,
      friends: friends({ all: 40, sameDomain: 40 }),
      allFriends: 40,
      line: line({ sameDomain: 40 }),
      referrer,
    },
  },
  'no-page': { found: { flags: Flag.provider }, honest: { line: line({ pageLoaded: 100 }) } },
  'fast-form': { found: { flags: marked(Flag.fast) }, honest: {} },
  'scripted-friends': {
    found: { flags: Flag.provider, friends: friends({ scripted: 8 }) },
    honest: { friends: friends({ scripted: 8 }) },
  },
  'coupon-site': { found: { flags: marked(Flag.coupon) }, honest: {} },
  'coupon-friends': {
    found: { friends: friends({ coupon: 5 }) },
    honest: { friends: friends({ coupon: 5, all: 256 }) },
  },
};

test.each(Object.entries(CASES))('%s finds what it looks for, and nothing honest', (rule, one) => {
  expect(rulesOf({ ...honest, ...one.found })).toContain(rule);
  expect(rulesOf({ ...honest, ...one.honest })).not.toContain(rule);
});

test('every rule has a case here, a weight in the brand file and a sentence', () => {
  const rules = Object.keys(CASES).toSorted();
  expect(Object.keys(brand.fairness.rules).toSorted()).toEqual(rules);
  expect(Object.keys(FRAUD_RULES).toSorted()).toEqual([...rules, 'code-on-hold'].toSorted());
});

test('several signs add up, the heaviest first', () => {
  const found = { ...CASES['same-network']?.found, flags: marked(Flag.disposable) };
  expect(weighSignals({ ...honest, ...found })).toEqual({
    rules: ['disposable', 'same-network'],
    score: 100,
  });
});
