import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventKind } from '../../../contract/operator/webhooks/webhooks.ts';
import { messageOf } from '../../api/request-error.ts';
import type { EndpointFields } from '../../api/webhooks.ts';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { TextArea, TextField } from '../../ui/controls/text-field.tsx';
import { FormDialog } from '../../ui/layers/form-dialog.tsx';
import { eventWords } from './event-words.ts';

type EndpointFormProps = {
  readonly title: string;
  readonly confirmLabel: string;
  readonly initial?: EndpointFields;
  /** Rejects with the error to show. */
  readonly onSave: (fields: EndpointFields & { reason: string }) => Promise<void>;
  readonly onClose: () => void;
};

const NOTHING: EndpointFields = { url: '', events: eventWords.map(({ kind }) => kind) };

/** URL, events and a reason. */
export function EndpointForm({
  title,
  confirmLabel,
  initial = NOTHING,
  onSave,
  onClose,
}: EndpointFormProps) {
  const [url, setUrl] = useState(initial.url);
  const [events, setEvents] = useState<ReadonlySet<EventKind>>(new Set(initial.events));
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const save = useMutation({ mutationFn: onSave });
  const missing = {
    url: url.trim() === '' ? 'Please give the URL.' : undefined,
    events: events.size === 0 ? 'Please choose at least one event.' : '',
    reason: reason.trim() === '' ? 'Please write why.' : undefined,
  };

  function submit(): void {
    setChecked(true);
    if (missing.url || missing.events || missing.reason || save.isPending) return;
    const chosen = eventWords.map(({ kind }) => kind).filter((kind) => events.has(kind));
    save.mutate({ url: url.trim(), events: chosen, reason: reason.trim() });
  }

  function toggle(kind: EventKind, isOn: boolean): void {
    const next = new Set(events);
    if (isOn) next.add(kind);
    else next.delete(kind);
    setEvents(next);
  }

  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      isBusy={save.isPending}
      failure={save.error ? messageOf(save.error) : ''}
      noValidate
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
        error={isChecked ? missing.url : undefined}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <fieldset className="field">
        <legend className="field-label">Events</legend>
        {eventWords.map(({ kind, words }) => (
          <Checkbox
            key={kind}
            label={words}
            checked={events.has(kind)}
            onChange={(isOn) => toggle(kind, isOn)}
          />
        ))}
        <p className="field-error" role="alert">
          {isChecked && missing.events}
        </p>
      </fieldset>
      <TextArea
        label="Reason"
        hint="Kept in the audit log. Name no addresses in it."
        maxLength={500}
        rows={2}
        value={reason}
        error={isChecked ? missing.reason : undefined}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
