import { useState } from 'react';
import { Link } from 'wouter';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import { ChangeForm } from '../../parts/change-form.tsx';
import { ChangeDialog } from '../../parts/changes.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/buttons.tsx';
import { DropdownMenu } from '../../ui/dropdown-menu.tsx';
import { CodeHoldDialog } from '../fairness/credit-dialogs.tsx';

type Member = { readonly id: string; readonly email: string; readonly referral_code: string };

type RemoveDialogProps = {
  readonly target: { readonly member_ids: string[] } | { readonly filter: MemberFilter };
  readonly onClose: () => void;
  readonly onMade?: () => void;
};

export function RemoveDialog({ target, ...closing }: RemoveDialogProps) {
  return (
    <ChangeDialog
      title="Remove members"
      confirmLabel="Remove"
      isDanger
      want={{ kind: 'remove-members', input: target }}
      {...closing}
    />
  );
}

const ACTIONS = {
  points: 'Adjust points',
  address: 'Correct the address',
  resend: 'Mail the status link',
  hold: 'Check every new friend',
  release: 'Stop checking new friends',
  remove: 'Remove',
  erase: 'Erase for good',
} as const;
type Action = keyof typeof ACTIONS;

type MemberActionsProps = {
  readonly member: Member;
  readonly isOnHold: boolean;
  /** Somebody else has removed the member: an open dialog stays, with what was written. */
  readonly isGone: boolean;
  readonly onGone: () => void;
};

export function MemberActions({ member, isOnHold, isGone, onGone }: MemberActionsProps) {
  const { id, email, referral_code: code } = member;
  const mayWrite = useMayWrite();
  const [action, setAction] = useState<Action | null>(null);
  if (!mayWrite) return null;
  const item = (name: Action, isDanger = false) => ({
    label: ACTIONS[name],
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
            [item('points'), item('address'), item('resend')],
            [item(isOnHold ? 'release' : 'hold')],
            [item('remove', true), item('erase', true)],
          ]}
        />
      )}
      {action === 'points' && <PointsDialog member={member} onClose={onClose} />}
      {action === 'address' && <AddressDialog member={member} onClose={onClose} />}
      {action === 'resend' && (
        <ChangeDialog
          title="Mail the status link again"
          confirmLabel="Mail"
          undoNote="A mail that was sent cannot be undone."
          want={{ kind: 'resend-link', input: { member_id: id } }}
          onClose={onClose}
        />
      )}
      {(action === 'hold' || action === 'release') && (
        <CodeHoldDialog code={code} isOnHold={action === 'release'} onClose={onClose} />
      )}
      {action === 'remove' && (
        <RemoveDialog target={{ member_ids: [id] }} onClose={onClose} onMade={onGone} />
      )}
      {action === 'erase' && (
        <ChangeDialog
          title={`Erase ${email}`}
          confirmLabel="Erase for good"
          isDanger
          undoNote="This cannot be undone."
          want={{ kind: 'erase-member', input: { member: id } }}
          onClose={onClose}
          onMade={onGone}
        >
          <p className="quiet">
            Texts that may name them: <Link href="/campaigns">campaigns</Link>,{' '}
            <Link href="/stock">allocations</Link>, <Link href="/activity">activity</Link>.
          </p>
        </ChangeDialog>
      )}
    </>
  );
}

type MemberDialogProps = { readonly member: Member; readonly onClose: () => void };

function PointsDialog({ member: { id, email }, onClose }: MemberDialogProps) {
  return (
    <ChangeForm
      title={`Adjust the points of ${email}`}
      confirmLabel="Adjust"
      fields={{
        points: { label: 'Points', hint: 'Two points are worth one friend.', isFirst: true },
      }}
      want={({ points }) => {
        const by = /^[+-]?\d{1,5}$/.test(points.trim()) ? Number(points) : 0;
        if (by === 0) return 'Write how many points to give, or with a minus, to take.';
        return { kind: 'adjust-points', input: { member_id: id, by } };
      }}
      onClose={onClose}
    />
  );
}

function AddressDialog({ member: { id, email: before }, onClose }: MemberDialogProps) {
  return (
    <ChangeForm
      title="Correct the address"
      confirmLabel="Correct"
      fields={{ address: { label: 'Address', kind: 'email', value: before, isFirst: true } }}
      want={({ address }) => {
        const email = address.trim();
        if (email === '' || email === before) return 'Enter the correct address.';
        return { kind: 'correct-address', input: { member_id: id, email } };
      }}
      onClose={onClose}
    />
  );
}
