/** What a person can get wrong in the brand file's rules of doubtful credits. */
import type { Fairness } from '../../../brand/brand-shape.ts';
import { type Check, inTurn, list, object, text, wholeNumber } from './value-checks.ts';

/** As PostgreSQL's integer has room for all weights together. */
const MAX_WEIGHT = 10_000;
const MAX_COUNT = 1_000_000;

/**
 * Rules that prove by themselves that a friend is none: the mailbox is that of the member who
 * invited or of somebody in line, there can be none, or the addresses are a series that differs by
 * a number.
 */
const PROOFS: readonly string[] = ['own-mailbox', 'known-mailbox', 'unreachable', 'address-series'];

const weight = wholeNumber({ min: 0, max: MAX_WEIGHT });
const mark = object<{ weight: number }>({ weight });
const count: Check = inTurn(
  object<{ weight: number; from: number; to: number }>({
    weight,
    from: wholeNumber({ min: 0, max: MAX_COUNT }),
    to: wholeNumber({ min: 1, max: MAX_COUNT }),
  }),
  (value, key) => {
    const { from, to } = value as { from: number; to: number };
    return from < to ? [] : [`${key}.to is ${to}, but must be more than its from, ${from}.`];
  },
);

/** No sign holds a credit alone. */
export const checkFairness: Check = inTurn(
  object<Fairness>({
    holdAt: wholeNumber({ min: 1, max: MAX_WEIGHT }),
    noteAt: wholeNumber({ min: 1, max: MAX_WEIGHT }),
    rules: object<Fairness['rules']>({
      'own-mailbox': mark,
      'known-mailbox': mark,
      'address-series': count,
      disposable: mark,
      'disposable-friends': count,
      unreachable: mark,
      'same-network': count,
      'network-flood': count,
      'referrer-network': count,
      'few-networks': count,
      ring: count,
      'same-browser': count,
      burst: count,
      'address-pattern': count,
      'random-addresses': count,
      'rare-domain': count,
      'domain-flood': count,
      'no-page': mark,
      'fast-form': mark,
      'scripted-friends': count,
      'coupon-site': mark,
      'coupon-friends': count,
    }),
    couponWords: list(text),
  }),
  (value, key) => {
    const { holdAt, rules } = value as Fairness;
    return Object.entries(rules)
      .filter(([name, rule]) => !PROOFS.includes(name) && rule.weight >= holdAt)
      .map(
        ([name, rule]) =>
          `${key}.rules.${name}.weight is ${rule.weight}, but must be less than holdAt, ` +
          `${holdAt}: one sign alone holds no credit.`,
      );
  },
);
