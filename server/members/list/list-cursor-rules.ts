/** Cursors are keys, since members move while somebody reads on; whoever stays is shown once. */
import type { MemberSort, Order } from '../../../contract/operator/member-list.ts';

/** Sort key; microseconds since 1970 and sequence; referrals below 0 and sort key. */
export type ListKey = readonly [first: number, second: number];

export type ListOrder = {
  readonly sort: MemberSort;
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

export function readCursor(text: string, order: ListOrder): ListKey | null {
  const [, sort, direction, first, second] = KEY.exec(text) ?? [];
  const key = [Number(first), Number(second)] as const;
  const isSame = sort === order.sort && (direction === 'desc') === order.isBackwards;
  return isSame && key.every(Number.isSafeInteger) ? key : null;
}
