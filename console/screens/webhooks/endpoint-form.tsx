import { EVENTS, type EventKind } from '../../../contract/operator/webhooks/events.ts';
import type {
  EndpointWithSecret,
  WholeEndpoint,
} from '../../../contract/operator/webhooks/webhooks.ts';
import type { Layer } from '../../parts/changes.tsx';
import { plainForm, secretDialog } from '../../parts/plain-form.tsx';
import { findMissingReason, REASON_FIELD } from '../../ui/form-fields.tsx';

export const REFRESH_MS = 5_000;

type Written = {
  readonly url: string;
  readonly events: readonly EventKind[];
  readonly reason: string;
};
type Words = { readonly title: string; readonly confirmLabel: string };

export function endpointForm(
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
        isFirst: true,
      },
      events: {
        label: 'Events',
        kind: 'checkboxes',
        value: (endpoint?.events ?? Object.keys(EVENTS)).join(' '),
        options: EVENTS,
      },
      reason: REASON_FIELD,
    },
    missing: ({ url, events, reason }) => ({
      url: url.trim() === '' ? 'Please give the URL.' : undefined,
      events: events === '' ? 'Please choose at least one event.' : undefined,
      reason: findMissingReason(reason),
    }),
    make: ({ url, events, reason }) =>
      save({ url: url.trim(), events: events.split(' ') as EventKind[], reason: reason.trim() }),
  });
}

export const showOnce = ({ secret }: EndpointWithSecret) =>
  secretDialog({
    title: 'The secret of this webhook',
    label: 'the secret',
    value: secret,
    note: 'Your service checks signatures with it. It is not shown again.',
    doneLabel: 'I have kept it',
  });
