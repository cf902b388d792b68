/** What can be changed about members, for their sheets and for selections. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

type One = { readonly id: string; readonly email: string };
type Closing = {
  readonly onClose: () => void;
  readonly onMade?: (() => void) | undefined;
};

/** Members by their ids, or all that match a filter. */
export function RemoveDialog({
  target,
  ...closing
}: Closing & {
  target: { readonly member_ids: string[] } | { readonly filter: MemberFilter };
}) {
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

export function PointsDialog({ member: { id, email }, onClose }: Closing & { member: One }) {
  const [text, setText] = useState('');
  const by = /^[+-]?\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return (
    <ChangeDialog
      title={`Adjust the points of ${email}`}
      confirmLabel="Adjust"
      want={by === 0 ? null : { kind: 'adjust-points', input: { member_id: id, by } }}
      hint="Write how many points to give, or with a minus, to take."
      onClose={onClose}
    >
      <TextField
        label="Points"
        hint="Two points are worth one friend."
        data-autofocus=""
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ChangeDialog>
  );
}

export function AddressDialog({ member: { id, email }, onClose }: Closing & { member: One }) {
  const [text, setText] = useState(email);
  const written = text.trim();
  return (
    <ChangeDialog
      title="Correct the address"
      confirmLabel="Correct"
      want={
        written === '' || written === email
          ? null
          : { kind: 'correct-address', input: { member_id: id, email: written } }
      }
      hint="Enter the correct address."
      onClose={onClose}
    >
      <TextField
        label="Address"
        type="email"
        data-autofocus=""
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ChangeDialog>
  );
}

export function ResendDialog({ member, onClose }: Closing & { member: One }) {
  return (
    <ChangeDialog
      title="Mail the status link again"
      confirmLabel="Mail"
      undoNote="A mail that was sent cannot be undone."
      want={{ kind: 'resend-link', input: { member_id: member.id } }}
      onClose={onClose}
    />
  );
}

export function EraseDialog({ member, ...closing }: Closing & { member: One }) {
  return (
    <ChangeDialog
      title={`Erase ${member.email}`}
      confirmLabel="Erase for good"
      isDanger
      undoNote="This cannot be undone."
      want={{ kind: 'erase-member', input: { member: member.id } }}
      {...closing}
    >
      <p className="quiet">
        Texts that may name them: <Link href="/campaigns">campaigns</Link>,{' '}
        <Link href="/stock">allocations</Link>, <Link href="/activity">activity</Link>.
      </p>
    </ChangeDialog>
  );
}
