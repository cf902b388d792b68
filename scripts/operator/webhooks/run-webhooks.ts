/** Webhooks from the command line. */
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import {
  type EndpointWithSecret,
  EVENT_KINDS,
  type WebhookDeliveries,
  type WebhookDelivery,
  type WebhookEndpoints,
  type WholeEndpoint,
} from '../../../contract/operator/webhooks/webhooks.ts';
import type { Config } from '../../../server/config.ts';
import type { Options } from '../../command-line/command.ts';
import { print, say } from '../../command-line/output.ts';
import { runVerb, type Verbs } from '../../command-line/verbs.ts';
import { callOperator, OperatorError } from '../call-operator.ts';
import { assertCanGiveReason, readReason } from '../changes/make-change.ts';
import { printable, renderTable } from '../table.ts';

export const webhookVerbs: Verbs = {
  add: { usage: '<url> <events>', run: add },
  show: { usage: '<id>', run: show },
  edit: { usage: '<id> <url> <events>', run: edit },
  on: {
    usage: '<id>',
    run: (config, [id], options) => change(config, id, { ...options, is_on: true }),
  },
  off: {
    usage: '<id>',
    run: (config, [id], options) => change(config, id, { ...options, is_on: false }),
  },
  rotate: { usage: '<id>', run: rotate },
  remove: { usage: '<id>', run: remove },
  test: {
    usage: '<id>',
    run: (config, [id], options) => attempt(config, operatorPaths.testWebhook, id, options),
  },
  log: { usage: '<id>', run: showLog },
  replay: {
    usage: '<delivery>',
    run: (config, [id], options) => attempt(config, operatorPaths.replayDelivery, id, options),
  },
};

/** Without words, the list. Throws UsageError, or OperatorError when an attempt failed. */
export async function runWebhooks(
  config: Config,
  words: readonly string[],
  options: Options,
): Promise<void> {
  if (words.length > 0) return await runVerb('webhooks', webhookVerbs, { config, words, options });
  await list(config, options);
}

async function list(config: Config, { json }: Options): Promise<void> {
  const found = await callOperator<WebhookEndpoints>(config, { path: operatorPaths.webhooks });
  const rows = found.endpoints.map((endpoint) => [
    endpoint.id,
    endpoint.origin,
    endpoint.events.join(' '),
    describeState(endpoint),
    endpoint.waiting,
  ]);
  print(json, found, () =>
    rows.length === 0
      ? 'There are no webhooks.'
      : renderTable(['Id', 'To', 'Events', 'State', 'Waiting'], rows),
  );
}

function describeState(endpoint: WebhookEndpoints['endpoints'][number]): string {
  const { is_on, off_reason, failing_since, failures } = endpoint;
  if (!is_on) return off_reason ?? 'off';
  return failing_since === null ? 'on' : `failing since ${failing_since}, ${failures} times`;
}

async function add(config: Config, [url = '', events = '']: readonly string[], options: Options) {
  assertCanGiveReason(options.reason);
  const body = {
    url,
    events: readEvents(events),
    reason: await readReason(options.reason),
  };
  const path = operatorPaths.webhooks;
  printSecret(
    await callOperator<EndpointWithSecret>(config, { method: 'POST', path, body }),
    options,
  );
}

async function rotate(config: Config, [id = '']: readonly string[], options: Options) {
  assertCanGiveReason(options.reason);
  const path = fillPath(operatorPaths.rotateWebhook, id);
  const body = { reason: await readReason(options.reason) };
  printSecret(
    await callOperator<EndpointWithSecret>(config, { method: 'POST', path, body }),
    options,
  );
  say(options.json, 'For 24 hours events are signed with the old secret too.');
}

function printSecret(endpoint: EndpointWithSecret, { json }: Options): void {
  print(json, endpoint, () =>
    renderTable(
      ['What', 'Value'],
      [
        ['Id', endpoint.id],
        ['URL', endpoint.url],
        ['Secret', endpoint.secret],
      ],
    ),
  );
  say(json, 'The secret is not shown again.');
}

function readEvents(events: string): readonly string[] {
  return events === 'all' ? EVENT_KINDS : events.split(',');
}

async function show(config: Config, [id = '']: readonly string[], { json }: Options) {
  const endpoint = await read(config, id);
  print(json, endpoint, () =>
    renderTable(
      ['What', 'Value'],
      [
        ['Id', endpoint.id],
        ['URL', endpoint.url],
        ['Events', endpoint.events.join(' ')],
        ['State', describeState(endpoint)],
        ['Waiting', String(endpoint.waiting)],
        ['Next attempt', endpoint.next_attempt_at ?? ''],
      ],
    ),
  );
}

async function edit(config: Config, words: readonly string[], options: Options): Promise<void> {
  const [id, url = '', events = ''] = words;
  await change(config, id, { ...options, url, events: readEvents(events) });
}

type Edits = { url?: string; events?: readonly string[]; is_on?: boolean };

async function change(
  config: Config,
  id = '',
  { reason, json, url, events, is_on }: Options & Edits,
): Promise<void> {
  assertCanGiveReason(reason);
  const before = await read(config, id);
  const changed = await callOperator<WholeEndpoint>(config, {
    method: 'PUT',
    path: fillPath(operatorPaths.webhook, id),
    body: {
      url: url ?? before.url,
      events: events ?? before.events,
      is_on: is_on ?? before.is_on,
      reason: await readReason(reason),
    },
  });
  const { origin } = changed;
  print(json, changed, () => `The webhook to ${origin} is ${changed.is_on ? 'on' : 'off'}.`);
}

async function read(config: Config, id: string): Promise<WholeEndpoint> {
  return await callOperator(config, { path: fillPath(operatorPaths.webhook, id) });
}

async function remove(config: Config, [id = '']: readonly string[], { reason, json }: Options) {
  assertCanGiveReason(reason);
  await callOperator(config, {
    method: 'POST',
    path: fillPath(operatorPaths.removeWebhook, id),
    body: { reason: await readReason(reason) },
  });
  print(json, { removed: id }, () => 'The webhook is removed.');
}

async function showLog(config: Config, [id = '']: readonly string[], { after, json }: Options) {
  const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`;
  const path = fillPath(operatorPaths.webhookDeliveries, id) + query;
  const page = await callOperator<WebhookDeliveries>(config, { path });
  const rows = page.entries.map((entry) => [
    entry.id,
    entry.happened_at,
    entry.kind,
    entry.state.replace('_', ' '),
    entry.attempts,
    entry.status ?? '',
    entry.duration_ms ?? '',
    entry.cause ?? '',
  ]);
  const columns = ['Delivery', 'Happened', 'Event', 'State', 'Attempts', 'Status', 'ms', 'Cause'];
  print(json, page, () => (rows.length === 0 ? 'Nothing was sent.' : renderTable(columns, rows)));
  if (page.next !== null)
    say(json, `There are more: ./waitlist webhooks log ${id} --after ${page.next}`);
}

async function attempt(config: Config, pattern: string, id = '', { json }: Options): Promise<void> {
  const path = fillPath(pattern, id);
  const made = await callOperator<WebhookDelivery>(config, { method: 'POST', path });
  if (json) console.log(JSON.stringify(made, null, 2));
  if (made.state !== 'delivered') throw new OperatorError(`Not delivered: ${made.cause ?? ''}.`);
  if (json) return;
  const answer = printable((made.answer ?? '').replace(/\s+/g, ' ').trim());
  console.log(
    `Delivered in ${made.duration_ms} ms: status ${made.status}${answer && `, "${answer}"`}.`,
  );
}
