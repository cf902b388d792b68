/** What may happen to a line, for test/line/model.test.ts. */
import fc from 'fast-check';
import type { ReferralCredit } from './model.ts';
import { type ChangeStep, changeStep } from './model-changes.ts';
import { type CreditStep, creditStep } from './model-credits.ts';
import { type InviterStep, inviterStep } from './model-inviters.ts';

export const CREDITS = ['settle', 'confirm'] as const satisfies readonly ReferralCredit[];

export type Join = {
  kind: 'join';
  person: number;
  spelling: number;
  inviter: number | 'unknown' | null;
  key: number | null;
};
export type Step =
  | Join
  | { kind: 'burst'; joins: Join[] }
  | { kind: 'confirm'; member: number; inviter: number }
  | { kind: 'remove'; member: number }
  | { kind: 'credit'; credit: ReferralCredit }
  | { kind: 'strangers' }
  | ChangeStep
  | CreditStep
  | InviterStep;

const join: fc.Arbitrary<Join> = fc.record({
  kind: fc.constant('join'),
  person: fc.nat(25),
  spelling: fc.nat(7),
  inviter: fc.oneof(
    { weight: 5, arbitrary: fc.nat(30) },
    // Often the same one, so that not all of their friends count.
    { weight: 5, arbitrary: fc.constant(0) },
    fc.constant('unknown' as const),
    fc.constant(null),
  ),
  key: fc.oneof(fc.nat(6), fc.constant(null)),
});
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: join },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('burst'),
      joins: fc.array(join, { minLength: 2, maxLength: 8 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('confirm'),
      member: fc.nat(30),
      inviter: fc.nat(30),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove'), member: fc.nat(30) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('credit'), credit: fc.constantFrom(...CREDITS) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('strangers') }) },
  { weight: 5, arbitrary: changeStep },
  { weight: 4, arbitrary: creditStep },
  { weight: 5, arbitrary: inviterStep },
);
