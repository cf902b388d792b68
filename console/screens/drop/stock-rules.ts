import type { Allocation } from '../../../contract/operator/masks.ts';
import type { Sort } from '../../ui/table.tsx';

type AllocationFilter = {
  readonly text: string;
  readonly state: string;
  readonly sort: Sort;
};

export function pickAllocations(
  allocations: readonly Allocation[],
  { text, state, sort }: AllocationFilter,
): Allocation[] {
  const wanted = text.toLowerCase();
  const picked = allocations.filter(
    ({ note, size, released_at }) =>
      `${note} ${size}`.toLowerCase().includes(wanted) &&
      (state === '' || (state === 'released') === (released_at !== null)),
  );
  const direction = sort.isDescending ? -1 : 1;
  return picked.sort((a, b) => direction * compare(a, b, sort.by));
}

function compare(a: Allocation, b: Allocation, by: string): number {
  if (by === 'quantity') return a.quantity - b.quantity;
  if (by === 'size') return a.size.localeCompare(b.size, 'en');
  return a.allocated_at.localeCompare(b.allocated_at);
}
