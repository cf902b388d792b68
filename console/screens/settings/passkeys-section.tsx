import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkeys } from '../../../contract/operator/access.ts';
import { addPasskey, passkeysQuery, removePasskey, renamePasskey } from '../../api/access.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { FormDialog } from '../../ui/layers/form-dialog.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { explainPasskey } from '../sign-in/passkey-entry.tsx';
import { AskDialog } from './ask-dialog.tsx';
import { useAccessChange } from './use-access-change.ts';

type Passkey = Passkeys['passkeys'][number];

/** `origin`: where they work; null: with no address of this server. */
export function PasskeysSection({ origin }: { origin: string | null }) {
  const passkeys = useQuery(passkeysQuery);
  /** The one to rename; 'new' for one to add. */
  const [named, setNamed] = useState<Passkey | 'new' | null>(null);
  const [leaving, setLeaving] = useState<Passkey | null>(null);
  const remove = useAccessChange(removePasskey, {
    onDone: () => setLeaving(null),
    showsFailure: true,
  });
  const isHere = origin === window.location.origin;
  const columns: readonly Column<Passkey>[] = [
    { key: 'name', header: 'Name', cell: ({ name }) => name },
    {
      key: 'used',
      header: 'Last used',
      cell: ({ last_used_at: at }) => (at === null ? 'Not yet' : <RelativeTime at={at} />),
    },
    {
      key: 'actions',
      header: 'Actions',
      isNarrow: true,
      isAction: true,
      cell: (passkey) => (
        <>
          <Button
            variant="quiet"
            aria-label={`Rename ${passkey.name}`}
            onClick={() => setNamed(passkey)}
          >
            Rename
          </Button>
          <Button
            variant="quiet"
            aria-label={`Remove ${passkey.name}`}
            onClick={() => setLeaving(passkey)}
          >
            Remove
          </Button>
        </>
      ),
    },
  ];
  return (
    <Section
      title="Your passkeys"
      note={noteOf(origin, isHere)}
      actions={isHere && <Button onClick={() => setNamed('new')}>Add a passkey</Button>}
    >
      <StaleNotice query={passkeys} />
      <Table
        label="Your passkeys"
        columns={columns}
        rows={passkeys.data?.passkeys}
        error={errorFaceOf(passkeys)}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={<EmptyFace title="No passkeys yet">You sign in by links.</EmptyFace>}
      />
      {named !== null && <NameDialog passkey={named} onClose={() => setNamed(null)} />}
      {leaving && (
        <AskDialog
          title={`Remove ${leaving.name}?`}
          text="It no longer signs anybody in. Delete it on the device too."
          confirmLabel="Remove"
          change={remove}
          onConfirm={() => remove.mutate(leaving.id)}
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
  const save = useAccessChange(
    () => (isNew ? addPasskey(name) : renamePasskey({ id: passkey.id, name })),
    { onDone: onClose, showsFailure: true },
  );
  return (
    <FormDialog
      title={isNew ? 'Add a passkey' : `Rename ${passkey.name}`}
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
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
