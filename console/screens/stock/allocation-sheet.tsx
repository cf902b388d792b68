import { useState } from 'react';
import type { Allocation } from '../../../contract/operator/masks.ts';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CodeText } from '../../ui/data/code-text.tsx';
import { KeyValues } from '../../ui/data/key-values.tsx';
import { SideSheet } from '../../ui/layers/side-sheet.tsx';
import { formatAmount } from '../../ui/text/numbers.ts';
import { formatMoment } from '../../ui/text/times.ts';
import { AllocationPill } from './allocations-section.tsx';
import { ReleaseDialog } from './release-dialog.tsx';

export function AllocationSheet({
  allocation,
  onClose,
}: {
  allocation: Allocation;
  onClose: () => void;
}) {
  const mayWrite = useMayWrite();
  const [isReleasing, setReleasing] = useState(false);
  const { id, size, quantity, note, allocated_at, released_at, release_note } = allocation;
  return (
    <SideSheet title={`${formatAmount(quantity, 'mask')}, ${size}`} onClose={onClose}>
      <KeyValues
        entries={[
          ['State', <AllocationPill key="state" of={allocation} />],
          ['For', note],
          ['Allocated', formatMoment(allocated_at)],
          ['Released', released_at && formatMoment(released_at)],
          ['Why released', release_note],
          ['Id', <CodeText key="id" label="the id" value={id} />],
        ]}
      />
      {mayWrite && released_at === null && (
        <Button onClick={() => setReleasing(true)}>Release</Button>
      )}
      {isReleasing && <ReleaseDialog allocation={allocation} onClose={() => setReleasing(false)} />}
    </SideSheet>
  );
}
