import { useState } from 'react';
import type { OperatorRole } from '../../../contract/operator/access.ts';
import { inviteOperator } from '../../api/access.ts';
import { messageOf } from '../../api/request-error.ts';
import { Select } from '../../ui/controls/select.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { FormDialog } from '../../ui/layers/form-dialog.tsx';
import { useAccessChange } from './use-access-change.ts';

const ROLES = [
  { value: 'viewer', label: 'Viewer: sees all, changes nothing' },
  { value: 'owner', label: 'Owner: may do everything' },
];

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [operator, setOperator] = useState({
    name: '',
    email: '',
    role: 'viewer' as OperatorRole,
  });
  const invite = useAccessChange(inviteOperator, {
    done: 'They are mailed where to sign in',
    onDone: onClose,
    showsFailure: true,
  });
  return (
    <FormDialog
      title="Invite an operator"
      submitLabel="Invite"
      isBusy={invite.isPending}
      failure={invite.isError ? messageOf(invite.error) : ''}
      onSubmit={() => invite.mutate(operator)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        data-autofocus=""
        value={operator.name}
        onChange={(event) => setOperator({ ...operator, name: event.currentTarget.value })}
      />
      <TextField
        label="E-mail address"
        type="email"
        required
        value={operator.email}
        onChange={(event) => setOperator({ ...operator, email: event.currentTarget.value })}
      />
      <Select
        label="Role"
        options={ROLES}
        value={operator.role}
        onChange={(role) => setOperator({ ...operator, role: role as OperatorRole })}
      />
    </FormDialog>
  );
}
