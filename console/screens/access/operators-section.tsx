import { useQuery } from '@tanstack/react-query';
import type { ApiKeys, OperatorRole, Operators } from '../../../contract/operator/access.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { fillPath } from '../../../contract/paths.ts';
import { post, put, read, remove } from '../../api/queries.ts';
import { ActionButton, useLayerItem, useShow } from '../../parts/changes.tsx';
import { plainForm } from '../../parts/forms.tsx';
import { MailProblem } from '../../parts/mail-problem.tsx';
import { QueryList } from '../../parts/query-states.tsx';
import { ActionsMenu } from '../../ui/dropdown-menu.tsx';
import { Pill, RelativeTime, Section } from '../../ui/facts.tsx';
import { actionColumn, type Column, timeColumn } from '../../ui/table.tsx';
import { useAccessChange } from './access-change.tsx';
import { keysQuery } from './keys-section.tsx';

const changeRole = ({ id, role }: { id: string; role: OperatorRole }) =>
  put<void>(fillPath(operatorPaths.operatorRole, id), { role });

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
  const operators = useQuery(read<Operators>(operatorPaths.operators));
  const keys = useQuery({ ...keysQuery, enabled: isOwner });
  const show = useShow();
  const item = useLayerItem();
  const keysOf = ({ id }: Operator) =>
    (keys.data?.keys ?? []).filter(({ created_by_id }) => created_by_id === id);
  const change = useAccessChange(changeRole, 'The role has changed');
  const end = useAccessChange(
    (id: string) => remove(fillPath(operatorPaths.operatorSessions, id)),
    'Their sessions have ended',
  );

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
    <Section
      title="Operators"
      note="Owners may do everything. Viewers see all and change nothing. Door staff scan passes."
      actions={<ActionButton label="Invite" dialog={invite} />}
    >
      <QueryList
        query={operators}
        label="Operators"
        columns={isOwner ? [...columns, actions] : columns}
        rows={operators.data?.operators}
        keyOf={({ id }) => id}
      />
    </Section>
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
    make: () => remove(fillPath(operatorPaths.operator, id)),
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
  make: (operator) => post(operatorPaths.operators, operator),
});
