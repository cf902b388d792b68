import { useQuery } from '@tanstack/react-query';
import { allocationsQuery, sizesQuery } from '../../api/masks.ts';
import { useListState } from '../../routing/use-list-state.ts';
import { useTitle } from '../../routing/use-title.ts';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { AllocationSheet } from './allocation-sheet.tsx';
import { AllocationsSection } from './allocations-section.tsx';
import { SizesSection } from './sizes-section.tsx';

/** How many masks there are of each size, and for whom some are put aside. */
export function StockScreen() {
  useTitle('Stock');
  const sizes = useQuery(sizesQuery);
  const allocations = useQuery(allocationsQuery);
  const list = useListState();
  const opened = allocations.data?.allocations.find(({ id }) => id === list.get('open'));

  return (
    <>
      <PageHeader title="Stock" note="Masks of each size, and those put aside." />
      <SizesSection sizes={sizes} />
      <AllocationsSection allocations={allocations} list={list} />
      {opened && (
        <AllocationSheet
          allocation={opened}
          onClose={() => list.set({ open: '' }, { isStep: true })}
        />
      )}
    </>
  );
}
