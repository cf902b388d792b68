import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import type { ReactNode } from 'react';
import { EVENTS, type EventKind } from '../../../contract/operator/webhooks/events.ts';
import type {
  EndpointWithSecret,
  WebhookDelivery,
  WebhookEndpoint,
  WholeEndpoint,
} from '../../../contract/operator/webhooks/webhooks.ts';
import { call, read, readRows, useRead } from '../../api/queries.ts';
import {
  ActionButton,
  type Layer,
  useAction,
  useLayerItem,
  useMayWrite,
  useShow,
} from '../../parts/changes.tsx';
import { confirmation, plainForm, secretDialog } from '../../parts/forms.tsx';
import { errorStateOf, ListSection, QueryList, Screen } from '../../parts/screen.tsx';
import { StatePill, type States } from '../../parts/state-pills.tsx';
import { useListState } from '../../routing/location.ts';
import { Button } from '../../ui/buttons.tsx';
import { ActionsMenu } from '../../ui/dropdown-menu.tsx';
import { Banner, KeyValues, Pill, RelativeTime } from '../../ui/facts.tsx';
import { REASON_FIELD } from '../../ui/form-fields.tsx';
import { formatAmount, formatMoment } from '../../ui/formats.ts';
import { SideSheet } from '../../ui/side-sheet.tsx';
import { actionColumn, type Column, countColumn, timeColumn } from '../../ui/table.tsx';
import { showFailure, showToast } from '../../ui/toasts.tsx';

const columns: readonly Column<WebhookEndpoint>[] = [
  { header: 'To', cell: ({ origin }) => origin },
  { header: 'Events', isMinor: true, cell: ({ events }) => events.join(', ') },
  { header: 'State', isNarrow: true, cell: (endpoint) => <EndpointPill endpoint={endpoint} /> },
  countColumn('Waiting', ({ waiting }) => waiting),
];

export function WebhooksScreen() {
  const webhooks = useRead('GET webhooks', { refetchInterval: REFRESH_MS });
  const list = useListState();
  const show = useShow();
  const opened = webhooks.data?.endpoints.find(({ id }) => id === list.get('open'));

  return (
    <Screen
      title="Webhooks"
      note="Your URLs that are called when something happens in the line."
      actions={
        <ActionButton
          variant="primary"
          icon={<Plus aria-hidden="true" size={16} />}
          dialog={endpointForm(
            { title: 'Add a webhook', confirmLabel: 'Add' },
            null,
            async (body) => show(showOnce(await call('POST webhooks', { body }))),
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

/** An attempt takes up to 15 seconds. */
const ATTEMPT_TIMEOUT_MS = 25_000;
const FOR_GOOD = 'This cannot be undone.';

type EndpointSheetProps = {
  readonly endpoint: WebhookEndpoint;
  readonly onClose: () => void;
};

function EndpointSheet({ endpoint, onClose }: EndpointSheetProps) {
  const { id, origin, is_on, off_reason, failing_since, failures, next_attempt_at } = endpoint;
  const mayWrite = useMayWrite();
  const whole = useQuery({
    ...read('GET webhook', { at: [id] }),
    enabled: mayWrite,
  });
  const test = useAttempt('POST testWebhook');

  return (
    <SideSheet
      title={origin}
      onClose={onClose}
      actions={
        whole.data && <EndpointMenu endpoint={endpoint} whole={whole.data} onRemoved={onClose} />
      }
    >
      {off_reason !== null && <Banner tone="ember">{off_reason}</Banner>}
      <KeyValues
        entries={{
          State: <EndpointPill endpoint={endpoint} />,
          URL: mayWrite ? (whole.data?.url ?? '…') : 'For owners only',
          Events: endpoint.events.join(', '),
          ...(failing_since !== null && {
            'Failing since': formatMoment(failing_since),
            'Failed in a row': `${formatAmount(failures, 'attempt')}, of all events`,
            'Next attempt': is_on ? describeNext(next_attempt_at) : undefined,
          }),
          'Old secret until': endpoint.old_secret_until && formatMoment(endpoint.old_secret_until),
        }}
      />
      {errorStateOf(whole)}
      {whole.data && (
        <p>
          <Button onClick={() => test.mutate(id)} isBusy={test.isPending}>
            Send a test event
          </Button>
        </p>
      )}
      <DeliveryLog endpointId={id} />
    </SideSheet>
  );
}

type EndpointMenuProps = {
  readonly endpoint: WebhookEndpoint;
  readonly whole: WholeEndpoint;
  readonly onRemoved: () => void;
};

function EndpointMenu({ endpoint: { id, is_on, waiting }, whole, onRemoved }: EndpointMenuProps) {
  const show = useShow();
  const item = useLayerItem();
  const { url, events } = whole;
  const at: [string] = [id];
  const lost = formatAmount(waiting, 'waiting event is', 'waiting events are');
  const ends = [
    'It gets no events until it is switched on again.',
    ...(waiting > 0 ? [`${lost} given up.`] : []),
  ];
  const switchLabel = is_on ? 'Switch off' : 'Switch on';
  return (
    <ActionsMenu
      label="More actions"
      groups={[
        [
          item(
            'Edit',
            endpointForm({ title: 'Edit the webhook', confirmLabel: 'Save' }, whole, (written) =>
              call('PUT webhook', { at, body: { ...written, is_on } }),
            ),
          ),
          item(
            switchLabel,
            confirmation({
              title: switchLabel,
              confirmLabel: switchLabel,
              undoNote: `It can be switched ${is_on ? 'on' : 'off'} again.`,
              sentences: is_on ? ends : ['It gets events from now on. Earlier ones are not sent.'],
              make: (reason) =>
                call('PUT webhook', { at, body: { url, events, is_on: !is_on, reason } }),
            }),
          ),
          item(
            'New secret',
            confirmation({
              title: 'New secret',
              confirmLabel: 'Make a new secret',
              undoNote: FOR_GOOD,
              sentences: ['For 24 hours events are signed with the old secret and the new.'],
              make: async (reason) =>
                show(showOnce(await call('POST rotateWebhook', { at, body: { reason } }))),
            }),
          ),
        ],
        [
          item(
            'Remove',
            confirmation({
              title: 'Remove the webhook',
              confirmLabel: 'Remove',
              undoNote: FOR_GOOD,
              isDanger: true,
              sentences: ['It gets no more events, and its log is deleted.'],
              make: async (reason) => {
                await call('POST removeWebhook', { at, body: { reason } });
                onRemoved();
              },
            }),
            true,
          ),
        ],
      ]}
    />
  );
}

function EndpointPill({ endpoint }: { endpoint: WebhookEndpoint }) {
  if (!endpoint.is_on) return <Pill>Off</Pill>;
  if (endpoint.failing_since !== null) return <Pill tone="ember">Failing</Pill>;
  return <Pill tone="charged">On</Pill>;
}

const SOON_MS = 30_000;

function describeNext(at: string | null): ReactNode {
  if (at === null) return 'With the next event';
  return Date.parse(at) - Date.now() < SOON_MS ? 'Due now' : <RelativeTime at={at} />;
}

function useAttempt(name: 'POST testWebhook' | 'POST replayDelivery') {
  return useAction((id: string) => call(name, { at: [id], timeoutMs: ATTEMPT_TIMEOUT_MS }), {
    failed: 'Not sent',
    onDone: ({ state, status, cause, duration_ms }) => {
      if (state === 'delivered')
        showToast('Delivered', { description: `Status ${status} in ${duration_ms} ms.` });
      else showFailure('Not delivered', `It failed: ${cause}.`);
    },
  });
}

const DELIVERIES: States<WebhookDelivery['state']> = {
  delivered: ['Delivered', 'charged'],
  waiting: ['Waiting', 'edge'],
  given_up: ['Given up', 'ember'],
};

const deliveryColumns: readonly Column<WebhookDelivery>[] = [
  { header: 'Event', cell: ({ kind }) => kind },
  timeColumn('Happened', ({ happened_at }) => happened_at, { isNarrow: false }),
  { header: 'State', cell: ({ state }) => <StatePill states={DELIVERIES} state={state} /> },
  { header: 'Answer', cell: describeAnswer },
];

function DeliveryLog({ endpointId }: { endpointId: string }) {
  const log = useInfiniteQuery({
    ...readRows('GET webhookDeliveries', { at: [endpointId] }),
    refetchInterval: REFRESH_MS,
  });
  const replay = useAttempt('POST replayDelivery');
  const replayColumn = actionColumn<WebhookDelivery>('Once more', ({ id, kind }) => (
    <Button
      variant="quiet"
      aria-label={`Replay ${kind}`}
      isBusy={replay.isPending && replay.variables === id}
      onClick={() => replay.mutate(id)}
    >
      Replay
    </Button>
  ));

  return (
    <ListSection
      note="Of the last 7 days."
      query={log}
      label="Deliveries"
      columns={[...deliveryColumns, replayColumn]}
      keyOf={({ id }) => id}
      emptyTitle="Nothing was sent yet"
      empty={useMayWrite() && 'Send a test event to try it.'}
    />
  );
}

function describeAnswer({ status, cause, answer, duration_ms, attempts }: WebhookDelivery): string {
  if (attempts === 0) return '';
  const what = cause ?? `status ${status}`;
  const tries = attempts > 1 ? `, ${attempts} attempts` : '';
  return `${what} in ${duration_ms} ms${tries}${answer ? `: ${answer.slice(0, 80)}` : ''}`;
}

const REFRESH_MS = 5_000;

type Written = {
  readonly url: string;
  readonly events: EventKind[];
  readonly reason: string;
};
type Words = { readonly title: string; readonly confirmLabel: string };

function endpointForm(
  words: Words,
  endpoint: WholeEndpoint | null,
  save: (written: Written) => Promise<unknown>,
): Layer {
  return plainForm({
    ...words,
    fields: {
      url: {
        label: 'URL',
        kind: 'url',
        value: endpoint?.url ?? '',
        placeholder: 'https://example.com/webhooks',
        maxLength: 2048,
        isRequired: true,
        isFirst: true,
      },
      events: {
        label: 'Events',
        kind: 'checkboxes',
        value: (endpoint?.events ?? Object.keys(EVENTS)).join(' '),
        options: EVENTS,
        isRequired: true,
        missing: 'Please choose at least one event.',
      },
      reason: REASON_FIELD,
    },
    make: ({ url, events, reason }) =>
      save({ url, events: events.split(' ') as EventKind[], reason }),
  });
}

const showOnce = ({ secret }: EndpointWithSecret) =>
  secretDialog({
    title: 'The secret of this webhook',
    label: 'the secret',
    value: secret,
    note: 'Your service checks signatures with it. It is not shown again.',
    doneLabel: 'I have kept it',
  });
