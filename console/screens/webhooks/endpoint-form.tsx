import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  EndpointWithSecret,
  EventKind,
} from '../../../contract/operator/webhooks/webhooks.ts';
import { messageOf } from '../../api/request.ts';
import { type EndpointFields, webhooksKey } from '../../api/webhooks.ts';
import type { Layer } from '../../parts/changes.tsx';
import { Button } from '../../ui/buttons.tsx';
import { Checkboxes } from '../../ui/choices.tsx';
import { Dialog, FormDialog, ReasonField } from '../../ui/dialogs.tsx';
import { CodeText } from '../../ui/facts.tsx';
import { TextField } from '../../ui/fields.tsx';
import { useKeptFields } from '../../ui/kept-state.ts';

const EVENTS: Readonly<Record<EventKind, string>> = {
  'member.joined': 'A member joined',
  'member.credited': 'A member was credited for a friend',
  'tier.reached': 'A member reached a tier',
  'member.left': 'A member left',
  'member.returned': 'A removed member came back',
  'offer.made': 'A member was offered a mask',
  'offer.accepted': 'A member accepted an offer, or got another pass',
  'offer.declined': 'A member declined an offer',
  'offer.expired': 'An offer ended without an answer',
  'pass.redeemed': 'The shop redeemed a pass',
  'pass.cancelled': 'A pass was cancelled',
};
const KINDS = Object.keys(EVENTS) as EventKind[];

type EndpointFormProps = {
  readonly title: string;
  readonly confirmLabel: string;
  readonly initial?: EndpointFields;
  readonly onSave: (fields: EndpointFields & { reason: string }) => Promise<unknown>;
  readonly onClose: () => void;
};

export function EndpointForm({
  title,
  confirmLabel,
  initial = { url: '', events: KINDS },
  onSave,
  onClose,
}: EndpointFormProps) {
  const { fields, change, forget } = useKeptFields(title, {
    url: initial.url,
    events: initial.events,
    reason: '',
  });
  const { url, events, reason } = fields;
  const [isChecked, setChecked] = useState(false);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: onSave,
    onSuccess: () => {
      forget();
      onClose();
      return client.invalidateQueries({ queryKey: webhooksKey });
    },
  });
  const missing = {
    url: url.trim() === '' ? 'Please give the URL.' : undefined,
    events: events.length === 0 ? 'Please choose at least one event.' : undefined,
    reason: reason.trim() === '' ? 'Please write why.' : undefined,
  };
  const shown: Partial<typeof missing> = isChecked ? missing : {};

  function submit(): void {
    setChecked(true);
    if (missing.url || missing.events || missing.reason || save.isPending) return;
    save.mutate({ url: url.trim(), events, reason: reason.trim() });
  }

  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      isBusy={save.isPending}
      failure={messageOf(save.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="URL"
        type="url"
        inputMode="url"
        placeholder="https://example.com/webhooks"
        data-autofocus=""
        maxLength={2048}
        value={url}
        error={shown.url}
        onChange={(text) => change({ url: text })}
      />
      <Checkboxes
        label="Events"
        options={EVENTS}
        values={events}
        error={shown.events}
        onChange={(kinds) => change({ events: kinds })}
      />
      <ReasonField
        value={reason}
        error={shown.reason}
        onChange={(text) => change({ reason: text })}
      />
    </FormDialog>
  );
}

export const secretDialog =
  ({ secret }: EndpointWithSecret): Layer =>
  (close) => (
    <Dialog
      title="The secret of this webhook"
      onClose={close}
      footer={
        <Button variant="primary" onClick={close}>
          I have kept it
        </Button>
      }
    >
      <p>Your service checks signatures with it. It is not shown again.</p>
      <CodeText label="the secret" value={secret} />
    </Dialog>
  );
