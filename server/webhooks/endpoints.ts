import type { EventKind } from '../../contract/operator/webhooks/events.ts';
import { EVENT_KINDS } from '../../contract/operator/webhooks/webhooks.ts';
import type { Actor } from '../access/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import type { Database } from '../db/database.ts';
import { inTransaction, lock, type Transaction } from '../db/transaction.ts';
import { readMemberId } from '../line/member-id-rules.ts';
import { conflict, invalidField, Problem } from '../problem.ts';
import {
  deleteEndpoint,
  type Endpoint,
  insertEndpoint,
  readEndpoint,
  readEndpoints,
  rotateSecret,
  setRecorded,
  updateEndpoint,
} from './endpoint-store.ts';
import { recordedFor } from './expand-events.ts';

const MAX_ENDPOINTS = 20;
const SYSTEM: Actor = { kind: 'system', id: null, name: 'waitlist' };

export type EditOptions = {
  readonly database: Database;
  readonly allowsHttp: boolean;
};

type By = { readonly actor: Actor; readonly reason: string };
type Wanted = { readonly url: string; readonly events: readonly EventKind[] };
type Edited = { readonly id: string; readonly action: string; readonly summary: string };

export async function addEndpoint(
  options: EditOptions,
  { url: text, events }: Wanted,
  by: By,
): Promise<Endpoint> {
  const url = readEndpointUrl(text, options);
  return await edit(options, by, async (transaction) => {
    if ((await readEndpoints(transaction)).length >= MAX_ENDPOINTS)
      throw conflict(`There are ${MAX_ENDPOINTS} endpoints: remove one first.`);
    const id = await insertEndpoint(transaction, { url, events: inOrder(events) });
    return { id, action: 'add-webhook', summary: `Added the webhook to ${originOf(url)}.` };
  });
}

export async function editEndpoint(
  options: EditOptions,
  endpointId: string,
  { url: text, events, is_on }: Wanted & { readonly is_on: boolean },
  by: By,
): Promise<Endpoint> {
  const url = readEndpointUrl(text, options);
  return await edit(options, by, async (transaction) => {
    const before = await findEndpoint(transaction, endpointId);
    const off_reason = is_on || before.is_on ? null : before.off_reason;
    const wanted = { id: before.id, url, events: inOrder(events), is_on, off_reason };
    await updateEndpoint(transaction, wanted);
    return { id: before.id, action: 'edit-webhook', summary: describeEdit(before, wanted) };
  });
}

export async function rotateEndpointSecret(
  options: EditOptions,
  endpointId: string,
  by: By,
): Promise<Endpoint> {
  return await edit(options, by, async (transaction) => {
    const { id, url } = await findEndpoint(transaction, endpointId);
    await rotateSecret(transaction, id);
    const summary = `Gave the webhook to ${originOf(url)} a new secret.`;
    return { id, action: 'rotate-webhook-secret', summary };
  });
}

export async function removeEndpoint(
  options: EditOptions,
  endpointId: string,
  by: By,
): Promise<void> {
  await edit(options, by, async (transaction) => {
    const { id, url } = await findEndpoint(transaction, endpointId);
    await deleteEndpoint(transaction, id);
    return { id, action: 'remove-webhook', summary: `Removed the webhook to ${originOf(url)}.` };
  });
}

export async function switchOffFailing(
  options: Pick<EditOptions, 'database'>,
  endpointId: string,
  cause: string,
): Promise<void> {
  const found = await readEndpoint(options.database.kysely, endpointId);
  if (found === null || !found.is_on) return;
  await edit(options, { actor: SYSTEM, reason: 'It does not work.' }, async (transaction) => {
    const endpoint = await findEndpoint(transaction, endpointId);
    const off_reason =
      `Switched off: ${endpoint.failures} attempts in a row failed since ` +
      `${endpoint.failing_since ?? 'just now'}, the last with "${cause}".`;
    await updateEndpoint(transaction, { ...endpoint, is_on: false, off_reason });
    const summary = `The server switched off the webhook to ${originOf(endpoint.url)}: ${cause}.`;
    return { id: endpoint.id, action: 'edit-webhook', summary };
  });
}

export async function findEndpoint(
  queries: Database['kysely'],
  endpointId: string,
): Promise<Endpoint> {
  const id = readMemberId(endpointId);
  const found = id === null ? null : await readEndpoint(queries, id);
  if (found === null) throw new Problem('unknown_path', 'There is no such webhook.');
  return found;
}

/** Works under the line lock, because the line records what the endpoints want. */
async function edit(
  { database }: Pick<EditOptions, 'database'>,
  { actor, reason }: By,
  work: (transaction: Transaction) => Promise<Edited>,
): Promise<Endpoint> {
  return await inTransaction(database, async (transaction) => {
    await lock(transaction, 'line');
    const { id, action, summary } = await work(transaction);
    const endpoints = await readEndpoints(transaction);
    const wanted = endpoints.filter(({ is_on }) => is_on).flatMap(({ events }) => events);
    await setRecorded(transaction, recordedFor(wanted));
    const subject = { kind: 'webhook', id };
    await recordAudit(transaction, { actor, action, subject, reason, details: { summary } });
    return endpoints.find((endpoint) => endpoint.id === id) as Endpoint;
  });
}

function readEndpointUrl(text: string, { allowsHttp }: Pick<EditOptions, 'allowsHttp'>): string {
  const refuse = (sentence: string) => invalidField(sentence);
  const url = URL.parse(text.trim());
  if (url === null) throw refuse('Please give a whole URL, such as https://example.com/webhooks.');
  if (url.protocol !== 'https:' && !(allowsHttp && url.protocol === 'http:'))
    throw refuse('The URL must begin with https://.');
  if (url.username !== '' || url.password !== '')
    throw refuse('The URL must not hold a user name or password.');
  url.hash = '';
  return url.href;
}

function describeEdit(
  before: Endpoint,
  { url, events, is_on }: Pick<Endpoint, 'url' | 'events' | 'is_on'>,
): string {
  const changes = [
    before.url !== url && `it calls ${originOf(url)}`,
    before.events.join() !== events.join() && `it gets ${events.join(', ')}`,
    before.is_on !== is_on && `it is ${is_on ? 'on' : 'off'}`,
  ].filter(Boolean);
  return `Changed the webhook to ${originOf(before.url)}: ${changes.join('; ') || 'nothing'}.`;
}

function inOrder(events: readonly EventKind[]): EventKind[] {
  return EVENT_KINDS.filter((kind) => events.includes(kind));
}

/** Paths and queries often hold a secret, which viewers and the audit log must not have. */
export function originOf(url: string): string {
  return new URL(url).origin;
}
