import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Ellipsis from 'lucide-react/icons/ellipsis';
import { useState } from 'react';
import type {
  WebhookDelivery,
  WebhookEndpoint,
} from '../../../contract/operator/webhooks/webhooks.ts';
import { messageOf } from '../../api/request-error.ts';
import {
  editWebhook,
  removeWebhook,
  rotateWebhook,
  testWebhook,
  webhookQuery,
  webhooksKey,
} from '../../api/webhooks.ts';
import { errorFaceOf } from '../../parts/query-face.tsx';
import { useMayWrite } from '../../parts/signed-in.ts';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Banner } from '../../ui/data/banner.tsx';
import { KeyValues } from '../../ui/data/key-values.tsx';
import { ConfirmDialog } from '../../ui/layers/confirm-dialog.tsx';
import { DropdownMenu } from '../../ui/layers/dropdown-menu.tsx';
import { SideSheet } from '../../ui/layers/side-sheet.tsx';
import { formatAmount } from '../../ui/text/numbers.ts';
import { RelativeTime } from '../../ui/text/relative-time.tsx';
import { formatMoment } from '../../ui/text/times.ts';
import { toasts } from '../../ui/toasts/toasts.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { EndpointPill } from './endpoint-pill.tsx';

type Change = 'edit' | 'switch' | 'rotate' | 'remove';

type EndpointSheetProps = {
  readonly endpoint: WebhookEndpoint;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
};

/** The state of one webhook, what was sent, and what an owner can do with it. */
export function EndpointSheet({ endpoint, onSecret, onClose }: EndpointSheetProps) {
  const { id, origin, is_on, off_reason, failing_since, failures, next_attempt_at } = endpoint;
  const client = useQueryClient();
  const mayWrite = useMayWrite();
  const whole = useQuery({ ...webhookQuery(id), enabled: mayWrite });
  const [change, setChange] = useState<Change | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: webhooksKey });
  const test = useMutation({ mutationFn: () => testWebhook(id), onSuccess: told, onError: failed });
  const make = useMutation({
    mutationFn: async (reason: string) => {
      if (change === 'remove') await removeWebhook(id, reason);
      else if (change === 'rotate') onSecret((await rotateWebhook(id, reason)).secret);
      else if (whole.data)
        await editWebhook(id, { ...fieldsOf(whole.data), is_on: !is_on, reason });
      setChange(null);
      if (change === 'remove') onClose();
      await refresh();
    },
  });
  const isOwner = whole.data !== undefined;

  async function told(attempt: WebhookDelivery): Promise<void> {
    tell(attempt);
    await refresh();
  }

  function ask(wanted: Change): void {
    make.reset();
    setChange(wanted);
  }

  return (
    <SideSheet
      title={origin}
      onClose={onClose}
      actions={
        isOwner && (
          <DropdownMenu
            trigger={
              <IconButton label="More actions" icon={<Ellipsis aria-hidden="true" size={18} />} />
            }
            groups={[
              [
                { label: 'Edit', onSelect: () => ask('edit') },
                { label: is_on ? 'Switch off' : 'Switch on', onSelect: () => ask('switch') },
                { label: 'New secret', onSelect: () => ask('rotate') },
              ],
              [{ label: 'Remove', isDanger: true, onSelect: () => ask('remove') }],
            ]}
          />
        )
      }
    >
      {off_reason !== null && <Banner tone="ember">{off_reason}</Banner>}
      <KeyValues
        entries={[
          ['State', <EndpointPill key="state" of={endpoint} />],
          ['URL', mayWrite ? (whole.data?.url ?? '…') : 'For owners only'],
          ['Events', endpoint.events.join(', ')],
          ...(failing_since === null
            ? []
            : [
                [
                  'Failing since',
                  `${formatMoment(failing_since)}, ${formatAmount(failures, 'attempt')}`,
                ] as const,
                ['Next attempt', next_attempt_at && <RelativeTime at={next_attempt_at} />] as const,
              ]),
          [
            'Old secret until',
            endpoint.old_secret_until && formatMoment(endpoint.old_secret_until),
          ],
        ]}
      />
      {errorFaceOf(whole)}
      {isOwner && (
        <p>
          <Button onClick={() => test.mutate()} isBusy={test.isPending}>
            Send a test event
          </Button>
        </p>
      )}
      <DeliveryLog endpointId={id} canReplay={isOwner} onReplayed={told} onFailed={failed} />
      {change === 'edit' && whole.data && (
        <EndpointForm
          title="Edit the webhook"
          confirmLabel="Save"
          initial={fieldsOf(whole.data)}
          onSave={async (fields) => {
            await editWebhook(id, { ...fields, is_on });
            setChange(null);
            await refresh();
          }}
          onClose={() => setChange(null)}
        />
      )}
      {change !== null && change !== 'edit' && (
        <ConfirmDialog
          {...wordsOf(change, endpoint)}
          preview={{ state: 'ready', sentences: wordsOf(change, endpoint).sentences }}
          isDanger={change === 'remove'}
          isBusy={make.isPending}
          failure={make.error ? messageOf(make.error) : ''}
          onConfirm={(reason) => make.mutate(reason)}
          onClose={() => setChange(null)}
        />
      )}
    </SideSheet>
  );
}

function fieldsOf({ url, events }: { url: string; events: WebhookEndpoint['events'] }) {
  return { url, events };
}

function wordsOf(change: Exclude<Change, 'edit'>, { is_on, waiting }: WebhookEndpoint) {
  if (change === 'remove')
    return {
      title: 'Remove the webhook',
      sentences: ['It gets no more events, and its log is deleted.'],
      undoNote: 'This cannot be undone.',
      confirmLabel: 'Remove',
    };
  if (change === 'rotate')
    return {
      title: 'New secret',
      sentences: ['For 24 hours events are signed with the old secret and the new.'],
      undoNote: 'This cannot be undone.',
      confirmLabel: 'Make a new secret',
    };
  if (is_on)
    return {
      title: 'Switch off',
      sentences: [
        'It gets no events until it is switched on again.',
        ...(waiting > 0
          ? [`${formatAmount(waiting, 'waiting event is', 'waiting events are')} given up.`]
          : []),
      ],
      undoNote: 'It can be switched on again.',
      confirmLabel: 'Switch off',
    };
  return {
    title: 'Switch on',
    sentences: ['It gets events from now on. Earlier ones are not sent.'],
    undoNote: 'It can be switched off again.',
    confirmLabel: 'Switch on',
  };
}

function tell({ state, status, cause, duration_ms }: WebhookDelivery): void {
  const isDelivered = state === 'delivered';
  toasts.show({
    title: isDelivered ? 'Delivered' : 'Not delivered',
    description: isDelivered ? `Status ${status} in ${duration_ms} ms.` : `It failed: ${cause}.`,
    variant: isDelivered ? 'default' : 'destructive',
    urgency: 'foreground',
  });
}

function failed(error: Error): void {
  toasts.show({
    title: 'Not sent',
    description: messageOf(error),
    variant: 'destructive',
    urgency: 'foreground',
  });
}
