import { useQuery } from '@tanstack/react-query';
import type {
  ApiKeys,
  KeyScope,
  OperatorRole,
  Operators,
} from '../../../contract/operator/access.ts';
import { call, read, useRead } from '../../api/queries.ts';
import {
  ActionButton,
  type Layer,
  useAction,
  useLayerItem,
  useShow,
} from '../../parts/changes.tsx';
import { plainForm, secretDialog } from '../../parts/forms.tsx';
import { MailProblem } from '../../parts/mail-problem.tsx';
import { ListSection } from '../../parts/screen.tsx';
import { ActionsMenu } from '../../ui/dropdown-menu.tsx';
import { Pill, RelativeTime } from '../../ui/facts.tsx';
import { formatMinute } from '../../ui/formats.ts';
import { actionColumn, type Column, timeColumn } from '../../ui/table.tsx';

const changeRole = ({ id, role }: { id: string; role: OperatorRole }) =>
  call('PUT operatorRole', { at: [id], body: { role } });

type Operator = Operators['operators'][number];
type ApiKey = ApiKeys['keys'][number];

const keysQuery = read('GET keys');

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
  const operators = useRead('GET operators');
  const keys = useQuery({ ...keysQuery, enabled: isOwner });
  const show = useShow();
  const item = useLayerItem();
  const keysOf = ({ id }: Operator) =>
    (keys.data?.keys ?? []).filter(({ created_by_id }) => created_by_id === id);
  const change = useAction(changeRole, { done: 'The role has changed' });
  const end = useAction((id: string) => call('DELETE operatorSessions', { at: [id] }), {
    done: 'Their sessions have ended',
  });

  const actions = actionColumn<Operator>('Actions', (operator) => {
    const { id, name, role } = operator;
    return (
      <ActionsMenu
        label={`Actions for ${name}`}
        groups={[
          [
            ...(Object.keys(ROLES) as OperatorRole[])
              .filter((to) => to !== role)
              .map((to) => ({
                label: `Make ${NOUNS[to]}`,
                onSelect: () => {
                  const keysLost = to === 'owner' ? [] : keysOf(operator);
                  if (keysLost.length > 0) show(demote(operator, to, keysLost));
                  else change.mutate({ id, role: to });
                },
              })),
            { label: 'End their sessions', onSelect: () => end.mutate(id) },
          ],
          [item('Remove', removal(operator, id === ownId, keysOf(operator)), true)],
        ]}
      />
    );
  });

  return (
    <ListSection
      note="Owners may do everything. Viewers see all and change nothing. Door staff scan passes."
      actions={<ActionButton label="Invite" dialog={invite} />}
      query={operators}
      label="Operators"
      columns={[...columns, actions]}
      rows={operators.data?.operators}
      keyOf={({ id }) => id}
    />
  );
}

const removal = ({ id, name }: Operator, isSelf: boolean, keys: readonly ApiKey[]) =>
  plainForm({
    title: `Remove ${name}?`,
    confirmLabel: 'Remove',
    isDanger: true,
    children: (
      <>
        <p>
          {isSelf
            ? 'This is you: your sessions end, and you cannot enter again.'
            : 'Their sessions end at once.'}
        </p>
        <KeysLost keys={keys} what="These API keys are revoked with them:" />
      </>
    ),
    done: 'They can no longer enter',
    make: () => call('DELETE operator', { at: [id] }),
  });

const demote = ({ id, name }: Operator, to: OperatorRole, keys: readonly ApiKey[]) =>
  plainForm({
    title: `Make ${name} ${NOUNS[to]}?`,
    confirmLabel: `Make ${NOUNS[to]}`,
    isDanger: true,
    children: <KeysLost keys={keys} what="These API keys of theirs stop working:" />,
    done: 'The role has changed',
    make: () => changeRole({ id, role: to }),
  });

/** Lists the keys that stop with an operator, and when each was last used: scripts may need it. */
function KeysLost({ keys, what }: { keys: readonly ApiKey[]; what: string }) {
  if (keys.length === 0) return null;
  return (
    <>
      <p>{what}</p>
      <ul>
        {keys.map(({ id, name, last_used_at }) => (
          <li key={id}>
            <span>{`${name}, ${last_used_at === null ? 'not used yet' : 'last used '}`}</span>
            {last_used_at !== null && <RelativeTime at={last_used_at} />}
          </li>
        ))}
      </ul>
      <p>Scripts that use them need a new key.</p>
    </>
  );
}

const invite = plainForm({
  title: 'Invite an operator',
  confirmLabel: 'Invite',
  fields: {
    name: { label: 'Name', isRequired: true, maxLength: 100, isFirst: true },
    email: { label: 'E-mail address', kind: 'email', isRequired: true },
    role: { label: 'Role', kind: 'select', value: 'viewer', options: ROLES },
  },
  children: <MailProblem />,
  done: 'They are invited',
  make: ({ name, email, role }) =>
    call('POST operators', { body: { name, email, role: role as OperatorRole } }),
});

const SCOPES: Readonly<Record<KeyScope, string>> = {
  read: 'Read: see members, mail and stock',
  write: 'Write: change them',
  export: 'Export: download the list',
  redeem: 'Redeem: use up passes, for the shop',
};

const keyColumns: readonly Column<ApiKey>[] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Begins with', cell: ({ hint }) => <code>{`${hint}…`}</code> },
  { header: 'May', cell: ({ scopes }) => scopes.join(', ') },
  { header: 'Works', isNarrow: true, cell: describeEnd },
  timeColumn('Last used', ({ last_used_at }) => last_used_at, { none: 'Not yet', isNarrow: false }),
  {
    header: 'Made by',
    isMinor: true,
    cell: ({ created_by }) => created_by ?? 'The operator token',
  },
  actionColumn('Actions', ({ id, name }) => (
    <ActionButton
      label="Revoke"
      variant="quiet"
      aria-label={`Revoke ${name}`}
      dialog={plainForm({
        title: `Revoke ${name}?`,
        confirmLabel: 'Revoke',
        isDanger: true,
        children: <p>Scripts that use it stop working at once.</p>,
        make: () => call('DELETE key', { at: [id] }),
      })}
    />
  )),
];

export function KeysSection() {
  const keys = useQuery(keysQuery);
  return (
    <ListSection
      note="For scripts, each within its scopes."
      actions={<ActionButton label="New key" dialog={newKey(useShow())} />}
      query={keys}
      label="API keys"
      columns={keyColumns}
      rows={keys.data?.keys}
      keyOf={({ id }) => id}
      emptyTitle="No API keys"
      empty="Scripts can use the operator token."
    />
  );
}

function describeEnd({ state, ends_at }: ApiKey) {
  if (state === 'suspended') return <Pill>Their maker is no owner</Pill>;
  if (ends_at === null) return 'For good';
  return state === 'ended' ? (
    <Pill>{`Ended ${formatMinute(ends_at)}`}</Pill>
  ) : (
    `Until ${formatMinute(ends_at)}`
  );
}

const newKey = (show: (layer: Layer) => void) =>
  plainForm({
    title: 'New API key',
    confirmLabel: 'Make the key',
    fields: {
      name: {
        label: 'Name',
        hint: 'What uses it.',
        isRequired: true,
        maxLength: 100,
        isFirst: true,
      },
      scopes: {
        label: 'It may',
        kind: 'checkboxes',
        value: 'read',
        options: SCOPES,
        isRequired: true,
        missing: 'Choose what the key may do.',
      },
      end: {
        label: 'Ends (optional)',
        kind: 'moment',
        hint: 'It ends in any case when you are no owner any more.',
      },
    },
    make: async ({ name, scopes, end }) => {
      const chosen = scopes.split(' ') as KeyScope[];
      const body = { name, scopes: chosen, ...(end && { ends_at: end }) };
      const { key } = await call('POST keys', { body });
      const note = 'Copy it now: it is not shown again.';
      const title = 'Your new key';
      show(secretDialog({ title, label: 'the key', value: key, note, doneLabel: 'Done' }));
    },
  });
