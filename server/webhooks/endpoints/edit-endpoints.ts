/** What an owner does with endpoints: each in one transaction, with its audit entry. */
import { EVENT_KINDS, type EventKind } from '../../../contract/operator/webhooks/webhooks.ts';
import type { Actor } from '../../access/actor.ts';
import { recordAudit } from '../../changes/audit/record-audit.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction, lock, type Transaction } from '../../db/transaction.ts';
import { readMemberId } from '../../line/member-id-rules.ts';
import { Problem } from '../../problem.ts';
import { recordedFor } from '../expand-events.ts';
import {
  deleteEndpoint,
  type EndpointRow,
  insertEndpoint,
  readEndpoint,
  readEndpoints,
  rotateSecret,
  setRecorded,
  updateEndpoint,
} from './endpoint-store.ts';
import { readEndpointUrl } from './url-rules.ts';

/** Each endpoint is polled every second, and adds to what the line records. */
const MAX_ENDPOINTS = 20;
/** How long both secrets sign after a rotation. */
const OVERLAP_HOURS = 24;
const SYSTEM: Actor = { kind: 'system', id: null, name: 'waitlist' };

export type EditOptions = {
  readonly database: Database;
  /** Whether a setting allows networks that http may be used in. */
  readonly allowsHttp: boolean;
};

type By = { readonly actor: Actor; readonly reason: string };
type Wanted = { readonly url: string; readonly events: readonly EventKind[] };

/** Throws Problem invalid_field, or conflict when there are too many. */
export async function addEndpoint(
  { database, allowsHttp }: EditOptions,
  { url: text, events }: Wanted,
  by: By,
): Promise<EndpointRow> {
  const url = readEndpointUrl(text, { allowsHttp });
  return await edit(database, async (transaction) => {
    if ((await readEndpoints(transaction)).length >= MAX_ENDPOINTS)
      throw new Problem('conflict', `There are ${MAX_ENDPOINTS} endpoints: remove one first.`);
    const id = await insertEndpoint(transaction, { url, events: inOrder(events) });
    const audit = { ...by, id, action: 'add-webhook', summary: `Added the webhook to ${of(url)}.` };
    return { id, audit };
  });
}

/** Throws Problem invalid_field, or unknown_path when there is no such endpoint. */
export async function editEndpoint(
  { database, allowsHttp }: EditOptions,
  endpointId: string,
  { url: text, events, isOn, ...by }: Wanted & By & { readonly isOn: boolean },
): Promise<EndpointRow> {
  const url = readEndpointUrl(text, { allowsHttp });
  return await edit(database, async (transaction) => {
    const before = await findEndpoint(transaction, endpointId);
    const offReason = isOn || before.is_on ? null : before.off_reason;
    const wanted = { id: before.id, url, events: inOrder(events), isOn, offReason };
    await updateEndpoint(transaction, wanted);
    const summary = describeEdit(before, wanted);
    return { id: before.id, audit: { ...by, id: before.id, action: 'edit-webhook', summary } };
  });
}

/** The new secret signs at once; the one before does too, for a day. Throws Problem. */
export async function rotateEndpointSecret(
  { database }: EditOptions,
  endpointId: string,
  by: By,
): Promise<EndpointRow> {
  return await edit(database, async (transaction) => {
    const { id, url } = await findEndpoint(transaction, endpointId);
    await rotateSecret(transaction, { id, overlapHours: OVERLAP_HOURS });
    const summary = `Gave the webhook to ${of(url)} a new secret.`;
    return { id, audit: { ...by, id, action: 'rotate-webhook-secret', summary } };
  });
}

/** With its log. Throws Problem unknown_path when there is no such endpoint. */
export async function removeEndpoint(
  { database }: EditOptions,
  endpointId: string,
  by: By,
): Promise<void> {
  await edit(database, async (transaction) => {
    const { id, url } = await findEndpoint(transaction, endpointId);
    await deleteEndpoint(transaction, id);
    const summary = `Removed the webhook to ${of(url)}.`;
    return { id, audit: { ...by, id, action: 'remove-webhook', summary } };
  });
}

/** By the server itself, with a sentence for the operator. Nothing when it is off already. */
export async function switchOffFailing(
  database: Database,
  { endpointId, cause }: { endpointId: string; cause: string },
): Promise<void> {
  const found = await readEndpoint(database.kysely, endpointId);
  if (found === null || !found.is_on) return;
  await edit(database, async (transaction) => {
    const {
      id,
      url,
      events,
      failing_since: since,
      failures,
    } = await findEndpoint(transaction, endpointId);
    const offReason =
      `Switched off: ${failures} attempts in a row failed since ` +
      `${since?.toISOString() ?? 'just now'}, the last with "${cause}".`;
    await updateEndpoint(transaction, { id, url, events, isOn: false, offReason });
    const summary = `The server switched off the webhook to ${of(url)}: ${cause}.`;
    const reason = 'It does not work.';
    return { id, audit: { actor: SYSTEM, reason, id, action: 'edit-webhook', summary } };
  });
}

/** Throws Problem unknown_path. */
export async function findEndpoint(
  queries: Parameters<typeof readEndpoint>[0],
  endpointId: string,
): Promise<EndpointRow> {
  const id = readMemberId(endpointId);
  const found = id === null ? null : await readEndpoint(queries, id);
  if (found === null) throw new Problem('unknown_path', 'There is no such webhook.');
  return found;
}

type Edited = {
  readonly id: string;
  readonly audit: By & { readonly id: string; readonly action: string; readonly summary: string };
};

/** Under the line lock, because the line records what the endpoints want. */
async function edit(
  database: Database,
  work: (transaction: Transaction) => Promise<Edited>,
): Promise<EndpointRow> {
  return await inTransaction(database, async (transaction) => {
    await lock(transaction, 'line');
    const { id, audit } = await work(transaction);
    const endpoints = await readEndpoints(transaction);
    const wanted = endpoints.filter(({ is_on }) => is_on).flatMap(({ events }) => events);
    await setRecorded(transaction, recordedFor(wanted as EventKind[]));
    const { actor, reason, action, summary } = audit;
    const subject = { kind: 'webhook', id };
    await recordAudit(transaction, { actor, action, subject, reason, details: { summary } });
    return endpoints.find((endpoint) => endpoint.id === id) as EndpointRow;
  });
}

function describeEdit(
  before: EndpointRow,
  { url, events, isOn }: { url: string; events: readonly string[]; isOn: boolean },
): string {
  const changes = [
    before.url !== url && `it calls ${of(url)}`,
    before.events.join() !== events.join() && `it gets ${events.join(', ')}`,
    before.is_on !== isOn && `it is ${isOn ? 'on' : 'off'}`,
  ].filter(Boolean);
  return `Changed the webhook to ${of(before.url)}: ${changes.join('; ') || 'nothing'}.`;
}

function inOrder(events: readonly EventKind[]): EventKind[] {
  return EVENT_KINDS.filter((kind) => events.includes(kind));
}

/** Paths and queries often hold a secret, and the audit log is kept for good. */
function of(url: string): string {
  return new URL(url).origin;
}
