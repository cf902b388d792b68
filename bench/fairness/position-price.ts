import type { LineRule } from '../../brand/brand-shape.ts';
import { keyFormula, type Standing, sortKey } from '../../server/line/line-rules.ts';
import { ATTACKS, type Attack } from './attacks.ts';

export const RULES: readonly LineRule[] = [{ name: 'points' }, { name: 'skip' }, { name: 'fade' }];
export const POSITIONS = [1, 10, 20, 50, 100];
/** The attacker joins after this share of the honest people. */
export const MOMENTS = [0.1, 0.5];

const MAX_FRIENDS = 20_000;

export type Yield = { readonly kind: string; readonly counted: number; readonly friends: number };

export type Price = { readonly euro: number; readonly kind: string } | null;

type Wanted = { readonly rule: LineRule; readonly position: number; readonly moment: number };

/** `honest`: people without any attacker. Returns null where no attack reaches the position. */
export function priceOf(
  { rule, position, moment }: Wanted,
  honest: readonly Standing[],
  yields: readonly Yield[],
): Price {
  const formula = keyFormula(rule);
  const keys = honest.map((standing) => sortKey(formula, standing)).toSorted((a, b) => a - b);
  const limit = keys[position - 1] ?? Number.POSITIVE_INFINITY;
  // Between two members, so that the attacker ties with none.
  const sequence = Math.floor(honest.length * moment) + 0.5;
  const keyWith = (credits: number) => sortKey(formula, { sequence, credits, isInvited: false });
  let needed = 0;
  while (keyWith(needed) >= limit && needed < MAX_FRIENDS) needed += 1;
  if (needed === 0) return { euro: 0, kind: 'joining' };
  if (needed === MAX_FRIENDS) return null;
  const ways = yields.flatMap(({ kind, ...brought }) => {
    const euro = costOf(ATTACKS[kind] as Attack, needed, brought);
    return euro === null ? [] : [{ euro, kind }];
  });
  return ways.toSorted((a, b) => a.euro - b.euro)[0] ?? null;
}

/** Beyond the friends that were played, an attack whose friends mostly count goes on like that. */
function costOf(
  { fixed, each }: Attack,
  needed: number,
  { counted, friends }: Omit<Yield, 'kind'>,
): number | null {
  const goesOn = each > 0 && counted > friends / 2;
  if (counted < needed && !goesOn) return null;
  return fixed + each * Math.ceil((needed * friends) / counted);
}
