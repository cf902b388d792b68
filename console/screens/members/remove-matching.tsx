import { useState } from 'react';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RemoveDialog } from './member-dialogs.tsx';

/** Removes all members that match, shown or not. Nothing for the whole line. */
export function RemoveMatching({ filter }: { filter: MemberFilter }) {
  const mayWrite = useMayWrite();
  const [isOpen, setOpen] = useState(false);
  if (!mayWrite || Object.keys(filter).length === 0) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Remove these</Button>
      {isOpen && <RemoveDialog target={{ filter }} onClose={() => setOpen(false)} />}
    </>
  );
}
