import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { allocationsQuery, sizesQuery } from '../../api/masks.ts';
import { useMayWrite } from '../../parts/signed-in.ts';
import { useListState } from '../../routing/use-list-state.ts';
import { useTitle } from '../../routing/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { AllocateDialog } from './allocate-dialog.tsx';
import { AllocationSheet } from './allocation-sheet.tsx';
import { AllocationsSection } from './allocations-section.tsx';
import { SizesSection } from './sizes-section.tsx';

/** How many masks there are of each size, and for whom some are put aside. */
export function StockScreen() {
  useTitle('Stock');
  const sizes = useQuery(sizesQuery);
  const allocations = useQuery(allocationsQuery);
  const list = useListState();
  const mayWrite = useMayWrite();
  const [isAllocating, setAllocating] = useState(false);
  const opened = allocations.data?.allocations.find(({ id }) => id === list.get('open'));

  return (
    <>
      <PageHeader
        title="Stock"
        note="Masks of each size, and those put aside."
        actions={
          mayWrite && sizes.data && <Button onClick={() => setAllocating(true)}>Allocate</Button>
        }
      />
      <SizesSection sizes={sizes} />
      <AllocationsSection allocations={allocations} list={list} />
      {isAllocating && sizes.data && (
        <AllocateDialog sizes={sizes.data.sizes} onClose={() => setAllocating(false)} />
      )}
      {opened && (
        <AllocationSheet
          allocation={opened}
          onClose={() => list.set({ open: '' }, { isStep: true })}
        />
      )}
    </>
  );
}
