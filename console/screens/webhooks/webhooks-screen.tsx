import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../contract/operator/webhooks/webhooks.ts';
import { addWebhook, webhooksQuery } from '../../api/webhooks.ts';
import { errorFaceOf, StaleNotice } from '../../parts/query-face.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { useListState } from '../../routing/use-list-state.ts';
import { useTitle } from '../../routing/use-title.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyFace } from '../../ui/data/faces.tsx';
import { PageHeader } from '../../ui/frame/page-header.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/table-shape.ts';
import { formatCount } from '../../ui/text/numbers.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointPill } from './endpoint-pill.tsx';
import { EndpointSheet } from './endpoint-sheet.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const columns: readonly Column<WebhookEndpoint>[] = [
  { key: 'origin', header: 'To', cell: ({ origin }) => origin },
  { key: 'events', header: 'Events', isMinor: true, cell: ({ events }) => events.join(', ') },
  { key: 'state', header: 'State', isNarrow: true, cell: (one) => <EndpointPill of={one} /> },
  {
    key: 'waiting',
    header: 'Waiting',
    align: 'end',
    isNarrow: true,
    cell: ({ waiting }) => formatCount(waiting),
  },
];

/** Where events are sent, whether they arrive, and the log of deliveries. */
export function WebhooksScreen() {
  useTitle('Webhooks');
  const webhooks = useQuery(webhooksQuery);
  const mayWrite = useMayWrite();
  const list = useListState();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState('');
  const opened = webhooks.data?.endpoints.find(({ id }) => id === list.get('open'));

  return (
    <>
      <PageHeader
        title="Webhooks"
        note="Your URLs that are called when something happens in the line."
        actions={
          mayWrite && (
            <Button
              variant="primary"
              icon={<Plus aria-hidden="true" size={16} />}
              onClick={() => setAdding(true)}
            >
              Add a webhook
            </Button>
          )
        }
      />
      <StaleNotice query={webhooks} />
      <Table
        label="Webhooks"
        columns={columns}
        rows={webhooks.data?.endpoints}
        keyOf={({ id }) => id}
        nameOf={({ origin }) => origin}
        hrefOf={({ id }) => list.hrefWith({ open: id })}
        openKey={list.get('open') || null}
        error={errorFaceOf(webhooks)}
        empty={
          <EmptyFace title="No webhooks yet">
            Add the URL of a service that should know of joins, credits, tiers or leavers.
          </EmptyFace>
        }
      />
      {opened && (
        <EndpointSheet
          key={opened.id}
          endpoint={opened}
          onSecret={setSecret}
          onClose={() => list.set({ open: '' }, { isStep: true })}
        />
      )}
      {isAdding && (
        <EndpointForm
          title="Add a webhook"
          confirmLabel="Add"
          onSave={async (fields) => {
            const added = await addWebhook(fields);
            setAdding(false);
            setSecret(added.secret);
            await webhooks.refetch();
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {secret !== '' && <SecretDialog secret={secret} onClose={() => setSecret('')} />}
    </>
  );
}
