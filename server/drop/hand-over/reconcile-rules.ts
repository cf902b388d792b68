/** Compares orders with passes, one order at a time. Memory grows with the passes alone. */
import type { OfferState } from '../../../contract/drop/states.ts';
import type { OrderFinding, OrderKind } from '../../../contract/operator/drop/orders.ts';
import { type ShopOrder, sizesOf } from './order-rules.ts';

export type KnownPass = {
  readonly code: string;
  readonly drop: number;
  readonly state: Exclude<OfferState, 'open' | 'declined' | 'expired'>;
  readonly size: string;
  readonly order: string | null;
  readonly email: string | null;
};

export type PassAction = { readonly code: string; readonly order: string };

type Options = {
  readonly drop: number;
  readonly sizes: readonly string[];
  /** Text in the name or SKU of masks; null: items that name a size are masks. */
  readonly item: string | null;
  readonly isSameMailbox: (first: string, second: string) => boolean;
};

/** A person need not look at findings of these kinds, unless something is odd about them. */
const QUIET: ReadonlySet<OrderKind> = new Set([
  ...(['to_redeem', 'matched', 'cancelled', 'cancelled_other', 'other_goods'] as const),
  ...(['repeated', 'unused'] as const),
]);

export type Reconciliation = ReturnType<typeof openReconciliation>;

export function openReconciliation(
  passes: readonly KnownPass[],
  { drop, sizes, item, isSameMailbox }: Options,
) {
  const findPass = indexCodes(passes);
  const winners = new Map<KnownPass, string>();
  const paidBy = new Map(
    passes.flatMap((pass) =>
      isUsed(pass) && pass.order !== null ? [[pass.order, pass] as const] : [],
    ),
  );
  /** First cancelled order of each pass. A later order may still have the pass. */
  const cancelled = new Map<KnownPass, ShopOrder>();
  const contested = new Map<KnownPass, string>();
  const toRedeem: PassAction[] = [];
  const toFree: PassAction[] = [];

  function take(order: ShopOrder): OrderFinding[] {
    const codes = order.codes.flatMap((text) => splitCodes(text, findPass));
    const found = codes.flatMap((code) => findPass(code) ?? []);
    if (found.length > 0) return found.flatMap((pass) => takePass(pass, order));
    if (order.isCancelled) return [findingOf('cancelled_other', order, codes.join(', '))];
    const masks = countMasks(order);
    const of = masks === 0 ? '' : `It is of ${masks === 1 ? 'a mask' : `${masks} masks`}.`;
    if (codes.length > 0) return [findingOf('unknown_code', order, codes.join(', '), of)];
    return [findingOf(masks > 0 ? 'without_pass' : 'other_goods', order, null, of)];
  }

  function takePass(pass: KnownPass, order: ShopOrder): OrderFinding[] {
    const make = (kind: OrderKind, why = '') => [findingOf(kind, order, pass.code, why)];
    const winner = winners.get(pass);
    if (winner === order.order) return make('repeated');
    if (order.isCancelled) return takeCancelled(pass, order);
    const odd = oddities(pass, order);
    if (pass.state === 'cancelled') return make('pass_cancelled', odd);
    const holder = isUsed(pass) ? pass.order : (winner ?? order.order);
    if (holder !== order.order) {
      contested.set(pass, order.order);
      return make('code_used_twice', whoHas(holder));
    }
    const paid = paidBy.get(order.order) ?? pass;
    if (paid !== pass) return make('order_used_twice', `It pays the pass ${paid.code}.`);
    winners.set(pass, order.order);
    paidBy.set(order.order, pass);
    if (order.isUnpaid) return make('not_paid', odd);
    if (isUsed(pass)) return make('matched', odd);
    toRedeem.push({ code: pass.code, order: order.order });
    return make('to_redeem', odd);
  }

  function takeCancelled(pass: KnownPass, order: ShopOrder): OrderFinding[] {
    const make = (kind: OrderKind, why = '') => [findingOf(kind, order, pass.code, why)];
    if (pass.state === 'cancelled') return make('cancelled');
    if (isUsed(pass) && pass.order !== order.order) return make('cancelled', whoHas(pass.order));
    if (cancelled.has(pass)) return make('repeated');
    cancelled.set(pass, order);
    return [];
  }

  function end(): OrderFinding[] {
    const findings: OrderFinding[] = [];
    for (const [pass, order] of cancelled) {
      const winner = winners.get(pass);
      const rival = contested.get(pass);
      const isGone = pass.state === 'handed_over' || pass.state === 'sent';
      const whyKept = isGone
        ? 'Its mask has left you: the pass is not freed.'
        : rival && `Order ${rival} has the code, too: the pass is not freed.`;
      const why = winner === undefined ? whyKept : whoHas(winner);
      const kind = winner === undefined ? 'order_cancelled' : 'cancelled';
      findings.push(findingOf(kind, order, pass.code, why));
      if (why === undefined) toFree.push({ code: pass.code, order: order.order });
    }
    for (const pass of passes) {
      if (pass.drop !== drop || winners.has(pass) || cancelled.has(pass)) continue;
      if (pass.state === 'cancelled') continue;
      const kind = isUsed(pass) ? 'no_order' : 'unused';
      if (kind === 'no_order' && pass.order === null) continue;
      findings.push(findingOf(kind, { ...pass, line: null }, pass.code));
    }
    return findings;
  }

  function oddities(pass: KnownPass, order: ShopOrder): string {
    const odd: string[] = [];
    if (pass.email === null) odd.push('The member has left the line.');
    else if (!isSameMailbox(pass.email, order.email))
      odd.push('The address is not that of the member.');
    const named = new Set(masksOf(order).flatMap((item) => sizesOf(item, sizes)));
    if (named.size > 0 && !named.has(pass.size))
      odd.push(`The pass is for size ${pass.size}, the order for ${[...named].join(', ')}.`);
    const masks = countMasks(order);
    if (masks > 1) odd.push(`The order is of ${masks} masks.`);
    return odd.join(' ');
  }

  function masksOf({ items }: ShopOrder) {
    const text = item?.toLowerCase();
    return items.filter((part) =>
      text === undefined
        ? sizesOf(part, sizes).length > 0
        : `${part.name} ${part.sku}`.toLowerCase().includes(text),
    );
  }

  function countMasks(order: ShopOrder): number {
    return masksOf(order).reduce((sum, { quantity }) => sum + quantity, 0);
  }

  return { take, end, toRedeem, toFree };
}

function isUsed({ state }: KnownPass): boolean {
  return state !== 'accepted' && state !== 'cancelled';
}

function whoHas(order: string | null): string {
  return order === null ? 'Its mask was handed over at the door.' : `Order ${order} has the pass.`;
}

function findingOf(
  kind: OrderKind,
  { line, order, email }: Pick<OrderFinding, 'line' | 'order' | 'email'>,
  code: string | null,
  why = '',
): OrderFinding {
  const needs_look = !QUIET.has(kind) || (why !== '' && kind !== 'cancelled');
  return { kind, line, order, code: code || null, email: email || null, why, needs_look };
}

type FindPass = (code: string) => KnownPass | undefined;

/** Matches exactly, or in any case when that is unambiguous: shops ignore the case of a code. */
function indexCodes(passes: readonly KnownPass[]): FindPass {
  const exact = new Map(passes.map((pass) => [pass.code, pass]));
  const folded = new Map<string, KnownPass | null>();
  for (const pass of passes) {
    const key = pass.code.toUpperCase();
    folded.set(key, folded.has(key) ? null : pass);
  }
  return (code) => exact.get(code) ?? folded.get(code.toUpperCase()) ?? undefined;
}

/** A cell may hold several codes, and a code may have a comma. */
function splitCodes(text: string, findPass: FindPass): string[] {
  if (findPass(text) !== undefined) return [text];
  return text.split(/[,\s]+/).filter((code) => code !== '');
}
