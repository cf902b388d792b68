import { useQuery } from '@tanstack/react-query';
import type { ApiKeys, KeyScope, NewKey } from '../../../contract/operator/access.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { fillPath } from '../../../contract/paths.ts';
import { post, read, remove } from '../../api/queries.ts';
import { ActionButton, type Layer, useShow } from '../../parts/changes.tsx';
import { plainForm, secretDialog } from '../../parts/forms.tsx';
import { QueryList } from '../../parts/query-states.tsx';
import { Pill, Section } from '../../ui/facts.tsx';
import { formatMinute } from '../../ui/formats.ts';
import { actionColumn, type Column, timeColumn } from '../../ui/table.tsx';

export const keysQuery = read<ApiKeys>(operatorPaths.keys);

type ApiKey = ApiKeys['keys'][number];

const SCOPES: Readonly<Record<KeyScope, string>> = {
  read: 'Read: see members, mail and stock',
  write: 'Write: change them',
  export: 'Export: download the list',
  redeem: 'Redeem: use up passes, for the shop',
};

const columns: readonly Column<ApiKey>[] = [
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
        make: () => remove(fillPath(operatorPaths.key, id)),
      })}
    />
  )),
];

export function KeysSection() {
  const keys = useQuery(keysQuery);
  return (
    <Section
      title="API keys"
      note="For scripts, each within its scopes."
      actions={<ActionButton label="New key" dialog={newKey(useShow())} />}
    >
      <QueryList
        query={keys}
        label="API keys"
        columns={columns}
        rows={keys.data?.keys}
        keyOf={({ id }) => id}
        emptyTitle="No API keys"
        empty="Scripts can use the operator token."
      />
    </Section>
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
      scopes: { label: 'It may', kind: 'checkboxes', value: 'read', options: SCOPES },
      end: {
        label: 'Ends (optional)',
        kind: 'moment',
        hint: 'It ends in any case when you are no owner any more.',
      },
    },
    missing: ({ scopes }) => ({
      scopes: scopes === '' ? 'Choose what the key may do.' : undefined,
    }),
    make: async ({ name, scopes, end }) => {
      const chosen = scopes.split(' ') as KeyScope[];
      const wanted = { name, scopes: chosen, ...(end && { ends_at: end }) };
      const { key } = await post<NewKey>(operatorPaths.keys, wanted);
      const note = 'Copy it now: it is not shown again.';
      const title = 'Your new key';
      show(secretDialog({ title, label: 'the key', value: key, note, doneLabel: 'Done' }));
    },
  });
