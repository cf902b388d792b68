import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import type {
  EndpointWithSecret,
  WebhookEndpoint,
  WebhookEndpoints,
} from '../../../contract/operator/webhooks/webhooks.ts';
import { post, read } from '../../api/queries.ts';
import { ActionButton, useShow } from '../../parts/changes.tsx';
import { QueryList } from '../../parts/query-states.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useListState } from '../../routing/location.ts';
import { type Column, countColumn } from '../../ui/table.tsx';
import { endpointForm, REFRESH_MS, showOnce } from './endpoint-form.tsx';
import { EndpointPill, EndpointSheet } from './endpoint-sheet.tsx';

const columns: readonly Column<WebhookEndpoint>[] = [
  { header: 'To', cell: ({ origin }) => origin },
  { header: 'Events', isMinor: true, cell: ({ events }) => events.join(', ') },
  { header: 'State', isNarrow: true, cell: (endpoint) => <EndpointPill endpoint={endpoint} /> },
  countColumn('Waiting', ({ waiting }) => waiting),
];

export function WebhooksScreen() {
  const webhooks = useQuery(read<WebhookEndpoints>(operatorPaths.webhooks, REFRESH_MS));
  const list = useListState();
  const show = useShow();
  const opened = webhooks.data?.endpoints.find(({ id }) => id === list.get('open'));

  return (
    <Screen
      title="Webhooks"
      note="Your URLs that are called when something happens in the line."
      actions={
        <ActionButton
          label="Add a webhook"
          variant="primary"
          icon={<Plus aria-hidden="true" size={16} />}
          dialog={endpointForm(
            { title: 'Add a webhook', confirmLabel: 'Add' },
            null,
            async (written) =>
              show(showOnce(await post<EndpointWithSecret>(operatorPaths.webhooks, written))),
          )}
        />
      }
    >
      <QueryList
        query={webhooks}
        list={list}
        label="Webhooks"
        columns={columns}
        rows={webhooks.data?.endpoints}
        keyOf={({ id }) => id}
        emptyTitle="No webhooks yet"
        empty="Add the URL of a service that should know of joins, credits, tiers or leavers."
      />
      {opened && <EndpointSheet key={opened.id} endpoint={opened} onClose={list.close} />}
    </Screen>
  );
}
