import { useQuery } from '@tanstack/react-query';
import Ellipsis from 'lucide-react/icons/ellipsis';
import { useState } from 'react';
import type { Operators } from '../../../contract/operator/access.ts';
import { changeRole, endSessionsOf, operatorsQuery, removeOperator } from '../../api/access.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Pill } from '../../ui/data/pill.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { DropdownMenu } from '../../ui/layers/dropdown-menu.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { AskDialog } from './ask-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { useAccessChange } from './use-access-change.ts';

type Operator = Operators['operators'][number];

const ROLES = { owner: 'Owner', viewer: 'Viewer' } as const;

const columns: readonly Column<Operator>[] = [
  { key: 'name', header: 'Name', cell: ({ name }) => name },
  { key: 'email', header: 'E-mail address', cell: ({ email }) => email },
  {
    key: 'role',
    header: 'Role',
    cell: ({ role }) => <Pill tone={role === 'owner' ? 'charged' : 'plain'}>{ROLES[role]}</Pill>,
  },
  {
    key: 'used',
    header: 'Last here',
    isMinor: true,
    cell: ({ last_used_at: at }) => (at === null ? 'Not signed in' : <RelativeTime at={at} />),
  },
];

export function OperatorsSection({ isOwner, ownId }: { isOwner: boolean; ownId: string | null }) {
  const operators = useQuery(operatorsQuery);
  const [isInviting, setInviting] = useState(false);
  const [leaving, setLeaving] = useState<Operator | null>(null);
  const change = useAccessChange(changeRole, { done: 'The role has changed' });
  const end = useAccessChange(endSessionsOf, { done: 'Their sessions have ended' });
  const remove = useAccessChange(removeOperator, {
    done: 'They can no longer enter',
    onDone: () => setLeaving(null),
    showsFailure: true,
  });

  const actions: Column<Operator> = {
    key: 'actions',
    header: 'Actions',
    isNarrow: true,
    isAction: true,
    cell: (operator) => (
      <DropdownMenu
        trigger={
          <IconButton
            label={`Actions for ${operator.name}`}
            icon={<Ellipsis aria-hidden="true" size={16} />}
          />
        }
        groups={[
          [
            {
              label: operator.role === 'owner' ? 'Make a viewer' : 'Make an owner',
              onSelect: () =>
                change.mutate({
                  id: operator.id,
                  role: operator.role === 'owner' ? 'viewer' : 'owner',
                }),
            },
            { label: 'End their sessions', onSelect: () => end.mutate(operator.id) },
          ],
          [{ label: 'Remove', isDanger: true, onSelect: () => setLeaving(operator) }],
        ]}
      />
    ),
  };

  return (
    <Section
      title="Operators"
      note="Owners may do everything. Viewers see all and change nothing."
      actions={isOwner && <Button onClick={() => setInviting(true)}>Invite</Button>}
    >
      <StaleNotice query={operators} />
      <Table
        label="Operators"
        columns={isOwner ? [...columns, actions] : columns}
        rows={operators.data?.operators}
        error={errorFaceOf(operators)}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={null}
      />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {leaving && (
        <AskDialog
          title={`Remove ${leaving.name}?`}
          text={
            leaving.id === ownId
              ? 'This is you: your sessions end, and you cannot enter again.'
              : 'Their sessions end at once. API keys that they made keep working.'
          }
          confirmLabel="Remove"
          change={remove}
          onConfirm={() => remove.mutate(leaving.id)}
          onClose={() => setLeaving(null)}
        />
      )}
    </Section>
  );
}
