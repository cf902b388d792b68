import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeys, KeyScope } from '../../../contract/operator/access.ts';
import { keysQuery, makeKey, revokeKey } from '../../api/access.ts';
import { messageOf } from '../../api/request.ts';
import { ActionButton } from '../../parts/changes.tsx';
import { QueryList } from '../../parts/query-states.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Checkboxes } from '../../ui/choices.tsx';
import { actionColumn, type Column, timeColumn } from '../../ui/columns.tsx';
import { Dialog, FormDialog } from '../../ui/dialogs.tsx';
import { CodeText, Pill } from '../../ui/facts.tsx';
import { DateTimeField, TextField } from '../../ui/fields.tsx';
import { formatMinute } from '../../ui/formats.ts';
import { Section } from '../../ui/frame.tsx';
import { useKeptFields } from '../../ui/kept-state.ts';
import { EmptyState } from '../../ui/states.tsx';
import { accessForm, useAccessChange } from './access-change.tsx';

type ApiKey = ApiKeys['keys'][number];

const SCOPES: Readonly<Record<KeyScope, string>> = {
  read: 'Read: see members, mail and stock',
  write: 'Write: change them',
  export: 'Export: download the list',
  redeem: 'Redeem: use up passes, for the shop',
};

const columns: readonly Column<ApiKey>[] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Begins with', cell: ({ hint }) => <code>{hint}…</code> },
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
      dialog={accessForm({
        title: `Revoke ${name}?`,
        submitLabel: 'Revoke',
        isDanger: true,
        children: <p>Scripts that use it stop working at once.</p>,
        change: () => revokeKey(id),
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
      actions={
        <ActionButton label="New key" dialog={(close) => <NewKeyDialog onClose={close} />} />
      }
    >
      <QueryList
        query={keys}
        label="API keys"
        columns={columns}
        rows={keys.data?.keys}
        keyOf={({ id }) => id}
        empty={<EmptyState title="No API keys">Scripts can use the operator token.</EmptyState>}
      />
    </Section>
  );
}

function describeEnd({ state, ends_at }: ApiKey) {
  if (state === 'suspended') return <Pill>Their maker is no owner</Pill>;
  if (ends_at === null) return 'For good';
  return state === 'ended' ? (
    <Pill>Ended {formatMinute(ends_at)}</Pill>
  ) : (
    `Until ${formatMinute(ends_at)}`
  );
}

const NEW_KEY = 'New API key';
const USUAL_KEY: { name: string; scopes: readonly KeyScope[]; end: string } = {
  name: '',
  scopes: ['read'],
  end: '',
};

function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const { fields, change, forget } = useKeptFields(NEW_KEY, USUAL_KEY);
  const { name, scopes, end } = fields;
  const [isMissing, setMissing] = useState(false);
  const make = useAccessChange(makeKey, { onDone: forget, showsFailure: true });

  function submit(): void {
    setMissing(scopes.length === 0);
    if (scopes.length > 0) make.mutate({ name, scopes, ...(end && { ends_at: end }) });
  }

  if (make.data !== undefined)
    return (
      <Dialog
        title="Your new key"
        onClose={onClose}
        footer={
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <p>Copy it now: it is not shown again.</p>
        <CodeText label="the key" value={make.data.key} />
      </Dialog>
    );
  return (
    <FormDialog
      title={NEW_KEY}
      isChecked
      submitLabel="Make the key"
      isBusy={make.isPending}
      failure={messageOf(make.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="What uses it."
        required
        maxLength={100}
        data-autofocus=""
        value={name}
        onChange={(text) => change({ name: text })}
      />
      <Checkboxes
        label="It may"
        options={SCOPES}
        values={scopes}
        error={isMissing ? 'Choose what the key may do.' : ''}
        onChange={(chosen) => change({ scopes: chosen })}
      />
      <DateTimeField
        label="Ends (optional)"
        hint="It ends in any case when you are no owner any more."
        value={end}
        onChange={(moment) => change({ end: moment })}
      />
    </FormDialog>
  );
}
