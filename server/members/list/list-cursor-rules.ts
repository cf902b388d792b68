/**
 * Where a page of the list ends: the key of its last member, as text.
 *
 * Members move while somebody reads on. A page has the members that stand behind the cursor when
 * it is asked for, so whoever stays put is shown once, whatever others do. A member that moves
 * across the cursor between two pages may be shown twice or not at all: they were in both places.
 */
import type { MemberSort, Order } from '../../../contract/operator/member-list.ts';
import { Problem } from '../../problem.ts';

/**
 * By position: sort key. By joining: microseconds since 1970, sequence. By referrals: their number
 * below 0, sort key; so the most come first, and of equal ones the first in line.
 */
export type ListKey = readonly [first: number, second: number];

export type ListOrder = {
  readonly sort: MemberSort;
  /** From the greatest key to the smallest. */
  readonly isBackwards: boolean;
};

const KEY = /^(position|joined|referrals)\.(asc|desc)\.(-?\d{1,16})\.(-?\d{1,16})$/;

export function readOrder(sort: MemberSort = 'position', order?: Order): ListOrder {
  const natural = sort === 'position' ? 'asc' : 'desc';
  const isDescending = (order ?? natural) === 'desc';
  return { sort, isBackwards: sort === 'referrals' ? !isDescending : isDescending };
}

export function writeCursor({ sort, isBackwards }: ListOrder, [first, second]: ListKey): string {
  return `${sort}.${isBackwards ? 'desc' : 'asc'}.${first}.${second}`;
}

/** Throws Problem invalid_field for a cursor of a list in another order, too. */
export function readCursor(text: string, order: ListOrder): ListKey {
  const [, sort, direction, first, second] = KEY.exec(text) ?? [];
  const key = [Number(first), Number(second)] as const;
  const isSame = sort === order.sort && (direction === 'desc') === order.isBackwards;
  if (!isSame || !key.every(Number.isSafeInteger))
    throw new Problem(
      'invalid_field',
      'The field "after" must be the "next" of a page of the same list.',
    );
  return key;
}
