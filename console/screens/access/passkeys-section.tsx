import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkeys } from '../../../contract/operator/access.ts';
import { addPasskey, passkeysQuery, removePasskey, renamePasskey } from '../../api/access.ts';
import { QueryList } from '../../parts/query-states.tsx';
import { Button } from '../../ui/buttons.tsx';
import { actionColumn, type Column, timeColumn } from '../../ui/columns.tsx';
import { FormDialog } from '../../ui/dialogs.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Section } from '../../ui/frame.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { AskDialog, useAccessChange } from './access-change.tsx';
import { explainPasskey } from './sign-in-screen.tsx';

type Passkey = Passkeys['passkeys'][number];

/** `origin`: where they work, or null when no address of this server allows any. */
export function PasskeysSection({ origin }: { origin: string | null }) {
  const passkeys = useQuery(passkeysQuery);
  const [named, setNamed] = useState<Passkey | 'new' | null>(null);
  const [leaving, setLeaving] = useState<Passkey | null>(null);
  const isHere = origin === window.location.origin;
  const action = (label: string, { name }: Passkey, onClick: () => void) => (
    <Button variant="quiet" aria-label={`${label} ${name}`} onClick={onClick}>
      {label}
    </Button>
  );
  const columns: readonly Column<Passkey>[] = [
    { header: 'Name', cell: ({ name }) => name },
    timeColumn('Last used', ({ last_used_at }) => last_used_at, {
      none: 'Not yet',
      isNarrow: false,
    }),
    actionColumn('Actions', (passkey) => (
      <>
        {action('Rename', passkey, () => setNamed(passkey))}
        {action('Remove', passkey, () => setLeaving(passkey))}
      </>
    )),
  ];
  return (
    <Section
      title="Your passkeys"
      note={noteOf(origin, isHere)}
      actions={isHere && <Button onClick={() => setNamed('new')}>Add a passkey</Button>}
    >
      <QueryList
        query={passkeys}
        label="Your passkeys"
        columns={columns}
        rows={passkeys.data?.passkeys}
        keyOf={({ id }) => id}
        empty={<EmptyState title="No passkeys yet">You sign in by links.</EmptyState>}
      />
      {named !== null && <NameDialog passkey={named} onClose={() => setNamed(null)} />}
      {leaving && (
        <AskDialog
          title={`Remove ${leaving.name}?`}
          text="It no longer signs anybody in. Delete it on the device too."
          confirmLabel="Remove"
          change={() => removePasskey(leaving.id)}
          onClose={() => setLeaving(null)}
        />
      )}
    </Section>
  );
}

function noteOf(origin: string | null, isHere: boolean): string {
  if (isHere) return 'They sign you in without a mail.';
  return origin === null
    ? 'Passkeys need https. Set PUBLIC_URL to an address that has it.'
    : `Passkeys work at ${origin}: open the console there to add one.`;
}

function NameDialog({ passkey, onClose }: { passkey: Passkey | 'new'; onClose: () => void }) {
  const isNew = passkey === 'new';
  const [name, setName] = useState(isNew ? '' : passkey.name);
  const save = useAccessChange(() => (isNew ? addPasskey(name) : renamePasskey(passkey.id, name)), {
    onDone: onClose,
    showsFailure: true,
  });
  return (
    <FormDialog
      title={isNew ? 'Add a passkey' : `Rename ${passkey.name}`}
      isChecked
      submitLabel={isNew ? 'Continue' : 'Rename'}
      isBusy={save.isPending}
      failure={save.isError ? explainPasskey(save.error) : ''}
      onSubmit={() => save.mutate(undefined)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Such as the device that keeps it."
        required
        maxLength={100}
        data-autofocus=""
        value={name}
        onChange={setName}
      />
    </FormDialog>
  );
}
