import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeys } from '../../../contract/operator/access.ts';
import { keysQuery, revokeKey } from '../../api/access.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { Section } from '../../ui/frame/section.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { AskDialog } from './ask-dialog.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { useAccessChange } from './use-access-change.ts';

type ApiKey = ApiKeys['keys'][number];

export function KeysSection() {
  const keys = useQuery(keysQuery);
  const [isMaking, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const revoke = useAccessChange(revokeKey, {
    onDone: () => setLeaving(null),
    showsFailure: true,
  });
  const columns: readonly Column<ApiKey>[] = [
    { key: 'name', header: 'Name', cell: ({ name }) => name },
    { key: 'hint', header: 'Begins with', cell: ({ hint }) => <code>{hint}…</code> },
    { key: 'scopes', header: 'May', cell: ({ scopes }) => scopes.join(', ') },
    {
      key: 'used',
      header: 'Last used',
      cell: ({ last_used_at: at }) => (at === null ? 'Not yet' : <RelativeTime at={at} />),
    },
    {
      key: 'by',
      header: 'Made by',
      isMinor: true,
      cell: ({ created_by }) => created_by ?? 'The operator token',
    },
    {
      key: 'actions',
      header: 'Actions',
      isNarrow: true,
      isAction: true,
      cell: (key) => (
        <Button variant="quiet" aria-label={`Revoke ${key.name}`} onClick={() => setLeaving(key)}>
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <Section
      title="API keys"
      note="For scripts, each within its scopes."
      actions={<Button onClick={() => setMaking(true)}>New key</Button>}
    >
      <StaleNotice query={keys} />
      <Table
        label="API keys"
        columns={columns}
        rows={keys.data?.keys}
        error={errorFaceOf(keys)}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={<EmptyFace title="No API keys">Scripts can use the operator token.</EmptyFace>}
      />
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} />}
      {leaving && (
        <AskDialog
          title={`Revoke ${leaving.name}?`}
          text="Scripts that use it stop working at once."
          confirmLabel="Revoke"
          change={revoke}
          onConfirm={() => revoke.mutate(leaving.id)}
          onClose={() => setLeaving(null)}
        />
      )}
    </Section>
  );
}
