import { useQuery } from '@tanstack/react-query';
import Ellipsis from 'lucide-react/icons/ellipsis';
import { useState } from 'react';
import type { ApiKeys, OperatorRole, Operators } from '../../../contract/operator/access.ts';
import {
  changeRole,
  endSessionsOf,
  inviteOperator,
  keysQuery,
  operatorsQuery,
  removeOperator,
} from '../../api/access.ts';
import { messageOf } from '../../api/request.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { QueryList } from '../../parts/query-states.tsx';
import { IconButton } from '../../ui/buttons.tsx';
import { actionColumn, type Column, timeColumn } from '../../ui/columns.tsx';
import { FormDialog } from '../../ui/dialogs.tsx';
import { DropdownMenu } from '../../ui/dropdown-menu.tsx';
import { Pill, RelativeTime } from '../../ui/facts.tsx';
import { Select, TextField } from '../../ui/fields.tsx';
import { Section } from '../../ui/frame.tsx';
import { useKeptFields } from '../../ui/kept-state.ts';
import { AskDialog, useAccessChange } from './access-change.tsx';

type Operator = Operators['operators'][number];
type ApiKey = ApiKeys['keys'][number];

const columns: readonly Column<Operator>[] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'E-mail address', cell: ({ email }) => email },
  {
    header: 'Role',
    cell: ({ role }) => (
      <Pill {...(role === 'owner' && { tone: 'charged' })}>{ROLES[role].split(':')[0]}</Pill>
    ),
  },
  timeColumn('Last here', ({ last_used_at }) => last_used_at, {
    none: 'Not signed in',
    isNarrow: false,
    isMinor: true,
  }),
];

const ROLES: Readonly<Record<OperatorRole, string>> = {
  viewer: 'Viewer: sees all, changes nothing',
  owner: 'Owner: may do everything',
  door: 'Door: scans passes, sees nothing else',
};
const NOUNS = { viewer: 'a viewer', owner: 'an owner', door: 'door staff' } as const;

export function OperatorsSection({ isOwner, ownId }: { isOwner: boolean; ownId: string | null }) {
  const operators = useQuery(operatorsQuery);
  const keys = useQuery({ ...keysQuery, enabled: isOwner });
  const [leaving, setLeaving] = useState<Operator | null>(null);
  const [demoted, setDemoted] = useState<(Operator & { to: OperatorRole }) | null>(null);
  const keysOf = ({ id }: Operator) =>
    (keys.data?.keys ?? []).filter(({ created_by_id }) => created_by_id === id);
  const change = useAccessChange(changeRole, { done: 'The role has changed' });
  const end = useAccessChange(endSessionsOf, { done: 'Their sessions have ended' });

  const actions = actionColumn<Operator>('Actions', (operator) => {
    const { id, name, role } = operator;
    return (
      <DropdownMenu
        trigger={
          <IconButton
            label={`Actions for ${name}`}
            icon={<Ellipsis aria-hidden="true" size={16} />}
          />
        }
        groups={[
          [
            ...(Object.keys(ROLES) as OperatorRole[])
              .filter((to) => to !== role)
              .map((to) => ({
                label: `Make ${NOUNS[to]}`,
                onSelect: () => {
                  if (to !== 'owner' && keysOf(operator).length > 0)
                    setDemoted({ ...operator, to });
                  else change.mutate({ id, role: to });
                },
              })),
            { label: 'End their sessions', onSelect: () => end.mutate(id) },
          ],
          [{ label: 'Remove', isDanger: true, onSelect: () => setLeaving(operator) }],
        ]}
      />
    );
  });

  return (
    <Section
      title="Operators"
      note="Owners may do everything. Viewers see all and change nothing. Door staff scan passes."
      actions={<ActionButton label="Invite" dialog={(close) => <InviteDialog onClose={close} />} />}
    >
      <QueryList
        query={operators}
        label="Operators"
        columns={isOwner ? [...columns, actions] : columns}
        rows={operators.data?.operators}
        keyOf={({ id }) => id}
      />
      {leaving && (
        <AskDialog
          title={`Remove ${leaving.name}?`}
          text={
            <>
              <p>
                {leaving.id === ownId
                  ? 'This is you: your sessions end, and you cannot enter again.'
                  : 'Their sessions end at once.'}
              </p>
              <KeysLost keys={keysOf(leaving)} what="These API keys are revoked with them:" />
            </>
          }
          confirmLabel="Remove"
          done="They can no longer enter"
          change={() => removeOperator(leaving.id)}
          onClose={() => setLeaving(null)}
        />
      )}
      {demoted && (
        <AskDialog
          title={`Make ${demoted.name} ${NOUNS[demoted.to]}?`}
          text={<KeysLost keys={keysOf(demoted)} what="These API keys of theirs stop working:" />}
          confirmLabel={`Make ${NOUNS[demoted.to]}`}
          done="The role has changed"
          change={() => changeRole({ id: demoted.id, role: demoted.to })}
          onClose={() => setDemoted(null)}
        />
      )}
    </Section>
  );
}

/** What stops with an operator, with when each key was last used: scripts may need it. */
function KeysLost({ keys, what }: { keys: readonly ApiKey[]; what: string }) {
  if (keys.length === 0) return null;
  return (
    <>
      <p>{what}</p>
      <ul>
        {keys.map(({ id, name, last_used_at }) => (
          <li key={id}>
            {name}, {last_used_at === null ? 'not used yet' : 'last used '}
            {last_used_at !== null && <RelativeTime at={last_used_at} />}
          </li>
        ))}
      </ul>
      <p>Scripts that use them need a new key.</p>
    </>
  );
}

const INVITE = 'Invite an operator';

function InviteDialog({ onClose }: { onClose: () => void }) {
  const { fields, change, forget } = useKeptFields(INVITE, { name: '', email: '', role: 'viewer' });
  const { name, email, role } = fields;
  const invite = useAccessChange(inviteOperator, {
    done: 'They are mailed where to sign in',
    onDone: () => {
      forget();
      onClose();
    },
    showsFailure: true,
  });
  return (
    <FormDialog
      title={INVITE}
      isChecked
      submitLabel="Invite"
      isBusy={invite.isPending}
      failure={messageOf(invite.error)}
      onSubmit={() => invite.mutate({ name, email, role: role as OperatorRole })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        data-autofocus=""
        value={name}
        onChange={(text) => change({ name: text })}
      />
      <TextField
        label="E-mail address"
        type="email"
        required
        value={email}
        onChange={(text) => change({ email: text })}
      />
      <Select
        label="Role"
        options={ROLES}
        value={role}
        onChange={(chosen) => change({ role: chosen })}
      />
    </FormDialog>
  );
}
