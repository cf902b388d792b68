import { useState } from 'react';
import { useMayWrite } from '../../../parts/signed-in.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DropdownMenu } from '../../../ui/layers/dropdown-menu.tsx';
import {
  AddressDialog,
  EraseDialog,
  PointsDialog,
  RemoveDialog,
  ResendDialog,
} from '../member-dialogs.tsx';

type Action = 'points' | 'address' | 'resend' | 'remove' | 'erase';

/** What an operator can change about one member. */
export function MemberActions({
  member,
  isGone,
  onGone,
}: {
  member: { readonly id: string; readonly email: string };
  /** Somebody else has removed the member: an open dialog stays, with what was written. */
  readonly isGone: boolean;
  /** Called when the member has been removed here. */
  onGone: () => void;
}) {
  const mayWrite = useMayWrite();
  const [action, setAction] = useState<Action | null>(null);
  if (!mayWrite) return null;
  const item = (label: string, name: Action, isDanger = false) => ({
    label,
    isDanger,
    onSelect: () => setAction(name),
  });
  const onClose = () => setAction(null);
  return (
    <>
      {!isGone && (
        <DropdownMenu
          trigger={<Button>Change</Button>}
          groups={[
            [
              item('Adjust points', 'points'),
              item('Correct the address', 'address'),
              item('Mail the status link', 'resend'),
            ],
            [item('Remove', 'remove', true), item('Erase for good', 'erase', true)],
          ]}
        />
      )}
      {action === 'points' && <PointsDialog member={member} onClose={onClose} />}
      {action === 'address' && <AddressDialog member={member} onClose={onClose} />}
      {action === 'resend' && <ResendDialog member={member} onClose={onClose} />}
      {action === 'remove' && (
        <RemoveDialog target={{ member_ids: [member.id] }} onClose={onClose} onMade={onGone} />
      )}
      {action === 'erase' && <EraseDialog member={member} onClose={onClose} onMade={onGone} />}
    </>
  );
}
