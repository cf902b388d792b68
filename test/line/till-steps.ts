/** Random histories of a till: how each begins, its steps, and how it ends. */
import fc from 'fast-check';
import { FAULTS, MOVES, WAYS } from '../support/fake-far-side.ts';
import { ACCOUNTS } from '../support/fake-tills.ts';

const entrant = fc.nat({ max: 4 });
const faults = fc.array(fc.constantFrom('none' as const, ...FAULTS), { maxLength: 5 });
/** The last one is a link. */
const nth = fc.nat({ max: ACCOUNTS.length });

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('run'),
      servers: fc.integer({ min: 1, max: 2 }),
      faults,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('accept'), entrant }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('pay'),
      entrant,
      isOld: fc.boolean(),
      way: fc.constantFrom('plain', 'plain', 'plain', ...WAYS),
      card: fc.nat({ max: 5 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('enter'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('withdraw'), entrant }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('draw') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('start') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('notice'), entrant }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('clock'),
      minutes: fc.constantFrom(3, 30, 480, 10_200),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('deadline'), lag: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('redeem'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('door'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo'), entrant }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resize'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forge'), entrant }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('move'), entrant, how: fc.constantFrom(...MOVES) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('till'), nth, isRacing: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('terms'), isOther: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('address'), nth: fc.nat({ max: 1 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('settle'), entrant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('by hand') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('try the till'), faults }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('copy'),
      how: fc.constantFrom('restored' as const, 'moved' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('this is the line') }) },
);
export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const anyHistory = fc.record({
  /** Members enter by card before the draw: at Stripe, which is the first account. */
  isByCard: fc.boolean(),
  till: fc.constantFrom(0, 0, 1, 1, ACCOUNTS.length),
  /** Entrants whose pass has its checkout already. */
  accepted: fc.constantFrom(0, 3, 3),
  steps: fc.array(step, { minLength: 5, maxLength: 16, size: 'max' }),
  /** Whether the passes end by the owner, and what moves at the till at last. */
  isCancelled: fc.boolean(),
  how: fc.constantFrom(...MOVES),
  isFailing: fc.boolean(),
});
/** Half of them are of a drop that is entered by card. */
export const histories = anyHistory.map((one) => (one.isByCard ? { ...one, till: 0 } : one));
export type History = typeof histories extends fc.Arbitrary<infer One> ? One : never;
