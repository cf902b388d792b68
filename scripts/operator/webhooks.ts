import { operatorPaths } from '../../contract/operator/paths.ts';
import {
  AddEndpointRequest,
  EditEndpointRequest,
  EndpointReason,
  type EndpointWithSecret,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WholeEndpoint,
} from '../../contract/operator/webhooks/webhooks.ts';
import type { Call, Command } from '../command-line/command.ts';
import { type Columns, oneLine, print } from '../command-line/output.ts';
import { readFields } from '../command-line/values.ts';
import { list, request } from './api-commands.ts';
import { readReason } from './ask.ts';
import { callOperator } from './call-operator.ts';
import { pathOfWords } from './field-words.ts';

const WITH_SECRET: Columns<EndpointWithSecret> = ['id', ['URL', 'url'], 'secret'];
const STATE = ['State', describeState] as const;

export const webhooksCommand: Command = {
  ...list<WebhookEndpoint>(operatorPaths.webhooks, {
    none: 'There are no webhooks.',
    columns: ['id', ['To', 'origin'], 'events', STATE, 'waiting'],
  }),
  about:
    'Lists webhooks, or changes one. <events>: all, or kinds such as member.joined,member.left.',
  commands: {
    add: request(operatorPaths.webhooks, {
      body: AddEndpointRequest,
      columns: WITH_SECRET,
      note: () => 'The secret is not shown again.',
    }),
    show: request<WholeEndpoint>(operatorPaths.webhook, {
      columns: ['id', ['URL', 'url'], 'events', STATE, 'waiting', 'next_attempt_at'],
    }),
    edit: { usage: '<id> <url> <events>', options: ['reason', 'json'], run: edit },
    on: switching('yes'),
    off: switching('no'),
    rotate: request(operatorPaths.rotateWebhook, {
      body: EndpointReason,
      columns: WITH_SECRET,
      note: () =>
        'The secret is not shown again. For 24 hours events are signed with the old one too.',
    }),
    remove: request(operatorPaths.removeWebhook, {
      body: EndpointReason,
      describe: () => 'The webhook is removed.',
    }),
    test: attempt(operatorPaths.testWebhook),
    log: list<WebhookDelivery>(operatorPaths.webhookDeliveries, {
      cursor: 'after',
      none: 'Nothing was sent.',
      columns: [
        ['Delivery', 'id'],
        'happened_at',
        ['Event', 'kind'],
        ['State', ({ state }) => state.replace('_', ' ')],
        'attempts',
        'status',
        ['ms', 'duration_ms'],
        'cause',
      ],
    }),
    replay: attempt(operatorPaths.replayDelivery),
  },
};

function describeState({ is_on, off_reason, failing_since, failures }: WebhookEndpoint): string {
  if (!is_on) return off_reason ?? 'off';
  return failing_since === null ? 'on' : `failing since ${failing_since}, ${failures} times`;
}

async function edit(call: Call, isOn?: string): Promise<void> {
  const { config, words, options } = call;
  const [, url, events] = words;
  const given = readFields(EditEndpointRequest, { url, events, 'is-on': isOn });
  const reason = await readReason(options);
  const path = await pathOfWords(operatorPaths.webhook, call);
  const before = await callOperator<WholeEndpoint>(config, path);
  const body = { url: before.url, events: before.events, is_on: before.is_on, ...given, reason };
  const after = await callOperator<WholeEndpoint>(config, path, { method: 'PUT', body });
  const state = after.is_on ? 'on' : 'off';
  print(options, after, `The webhook to ${after.origin} is ${state}.`);
}

function switching(isOn: 'yes' | 'no'): Command {
  return { usage: '<id>', options: ['reason', 'json'], run: (call) => edit(call, isOn) };
}

function attempt(pattern: string): Command {
  return request(pattern, {
    method: 'POST',
    describe: ({ duration_ms, status, answer }: WebhookDelivery) => {
      const words = oneLine(answer);
      return `Delivered in ${duration_ms} ms: status ${status}${words && `, "${words}"`}.`;
    },
    failure: ({ state, cause }) =>
      state === 'delivered' ? null : `Not delivered: ${cause ?? ''}.`,
  });
}
