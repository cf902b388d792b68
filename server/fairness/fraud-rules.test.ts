import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { FRAUD_RULES } from '../../contract/fraud-rules.ts';
import type { Evidence } from './evidence.ts';
import { openRules } from './fraud-rules.ts';
import { Flag } from './join-memory.ts';

/** One friend among ten from everywhere, in a line of 1,000 people who opened the page. */
const honest: Evidence = {
  flags: Flag.pageLoaded,
  friends: {
    all: 10,
    withNetwork: 10,
    sameNarrow: 1,
    sameWide: 1,
    sameHints: 2,
    sameStem: 0,
    sameBrowser: 1,
    scripted: 0,
  },
  otherCodes: 0,
  otherWideCodes: 0,
  isKnownMailbox: false,
  isOwnMailbox: false,
  line: { joins: 1_000, hinted: 1_000, pageLoaded: 950, sameHints: 200 },
};

const weighSignals = openRules(brand.fairness.rules);
const rulesOf = (evidence: Evidence) => weighSignals(evidence)?.rules.toSorted() ?? [];
const friends = (some: Partial<Evidence['friends']>) => ({ ...honest.friends, ...some });
const line = (some: Partial<Evidence['line']>) => ({ ...honest.line, ...some });
const marked = (flag: number) => honest.flags | flag;

test('nothing speaks against a friend among friends', () => {
  expect(weighSignals(honest)).toBeNull();
});

/** Each: what a rule looks for, and the same where it is honest. */
const CASES: Record<string, { found: Partial<Evidence>; honest: Partial<Evidence> }> = {
  'own-mailbox': { found: { isOwnMailbox: true }, honest: {} },
  'known-mailbox': { found: { isKnownMailbox: true }, honest: { isOwnMailbox: true } },
  disposable: { found: { flags: marked(Flag.disposable) }, honest: {} },
  unreachable: { found: { flags: marked(Flag.unreachable) }, honest: {} },
  'address-series': {
    found: { friends: friends({ sameStem: 3 }) },
    honest: { friends: friends({ sameStem: 8, all: 256 }) },
  },
  'random-address': { found: { flags: marked(Flag.random) }, honest: {} },
  'same-network': {
    found: { friends: friends({ sameNarrow: 8 }) },
    honest: { friends: friends({ sameNarrow: 8 }), otherCodes: 5 },
  },
  'network-flood': {
    found: { friends: friends({ all: 100, sameNarrow: 90 }) },
    honest: { friends: friends({ all: 256, sameNarrow: 50 }) },
  },
  'same-browser': {
    found: { friends: friends({ sameNarrow: 6, sameBrowser: 6 }) },
    honest: {
      friends: friends({ sameNarrow: 6, sameBrowser: 6 }),
      line: line({ sameHints: 990 }),
    },
  },
  'no-page': { found: { flags: 0 }, honest: { flags: 0, line: line({ pageLoaded: 100 }) } },
  'fast-form': { found: { flags: marked(Flag.fast) }, honest: {} },
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
  const found = { ...CASES['same-network']?.found, flags: marked(Flag.random) };
  expect(weighSignals({ ...honest, ...found })).toEqual({
    rules: ['random-address', 'same-network'],
    score: 115,
  });
});

test('a missing page load holds where most friends from the network lack one', () => {
  const alone = { ...honest, flags: 0, friends: friends({ scripted: 1 }) };
  expect(weighSignals(alone)).toEqual({ rules: ['no-page'], score: 40 });
  const scripted = { sameWide: 3, scripted: 2 };
  expect(weighSignals({ ...alone, friends: friends(scripted) })?.score).toBe(100);
});
