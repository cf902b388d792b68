import { operatorPaths } from '../../contract/operator/paths.ts';
import {
  AddEndpointRequest,
  DeliveryPageRequest,
  EditEndpointRequest,
  EndpointReason,
  type WholeEndpoint,
} from '../../contract/operator/webhooks/webhooks.ts';
import { fillPath } from '../../contract/paths.ts';
import { print } from '../command-line/output.ts';
import type { Definition } from '../command-line/program.ts';
import { callOperator } from './call-operator.ts';
import { attempt, readReason, request } from './calls.ts';
import { fieldOf, JSON_OUTPUT, REASON } from './fields.ts';

export const webhooks = request(operatorPaths.webhooks, {
  about: 'Lists webhooks, or changes one. <events>: all, or kinds by commas.',
  shows: 'id To:origin events is_on off_reason failing_since failures waiting',
  commands: {
    add: request(operatorPaths.webhooks, {
      body: AddEndpointRequest,
      shows: 'id URL:url secret',
      note: 'The secret is not shown again.',
    }),
    show: request(operatorPaths.webhook, {
      shows: 'id URL:url events is_on off_reason failing_since failures waiting next_attempt_at',
    }),
    edit: edit(['url', 'events']),
    on: edit([], true),
    off: edit([], false),
    rotate: request(operatorPaths.rotateWebhook, {
      body: EndpointReason,
      shows: 'id URL:url secret',
      note: 'The secret is not shown again. For 24 hours events are signed with the old one too.',
    }),
    remove: request(operatorPaths.removeWebhook, {
      body: EndpointReason,
      says: 'The webhook is removed.',
    }),
    test: attempt(operatorPaths.testWebhook),
    log: request(operatorPaths.webhookDeliveries, {
      query: DeliveryPageRequest,
      shows: 'Delivery:id happened_at Event:kind state attempts status ms:duration_ms cause',
    }),
    replay: attempt(operatorPaths.replayDelivery),
  },
});

/** The API takes a whole webhook. */
function edit(names: readonly ('url' | 'events')[], isOn?: boolean): Definition {
  return {
    words: [fieldOf('endpointId'), ...names.map((name) => fieldOf(name, EditEndpointRequest))],
    options: [REASON, JSON_OUTPUT],
    run: async ({ config, values }) => {
      const reason = await readReason(values);
      const path = fillPath(operatorPaths.webhook, String(values.endpointId));
      const before = await callOperator<WholeEndpoint>(config, path);
      const { url = before.url, events = before.events } = values;
      const body = { url, events, is_on: isOn ?? before.is_on, reason };
      const after = await callOperator<WholeEndpoint>(config, path, { method: 'PUT', body });
      print(values, after, `The webhook to ${after.origin} is ${after.is_on ? 'on' : 'off'}.`);
    },
  };
}
