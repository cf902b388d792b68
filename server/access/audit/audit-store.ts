import { all, first, found, only, value } from '../../db/rows.ts';
import type { Snapshot } from '../../db/snapshot.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { Actor } from '../actor.ts';

/** An id, never an address, because entries outlive a member. */
export type Subject = { readonly kind: string; readonly id: string };

export type AuditRecord = {
  readonly actor: Actor;
  readonly action: string;
  readonly subject: Subject | null;
  readonly reason: string | null;
  /** JSON without personal data; `summary` is a sentence in the past tense. */
  readonly details: Readonly<Record<string, unknown>> & { readonly summary: string };
};

export type ChainEntry = {
  readonly sequence: number;
  readonly at: string;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string;
  readonly action: string;
  readonly subject_kind: string | null;
  readonly subject_id: string | null;
  readonly reason: string | null;
  readonly details: string;
  readonly previous_hash: string;
  readonly hash: string;
};

export function appendEntry(
  transaction: Transaction,
  { actor, action, subject, reason, details }: AuditRecord,
) {
  return value<number>(transaction)`
    select append_audit(
      ${actor.kind}, ${actor.id}, ${actor.name}, ${action}, ${subject?.kind ?? null},
      ${subject?.id ?? null}, ${reason}, ${JSON.stringify(details)}::jsonb) as sequence
  `;
}

export async function isLastBy(
  transaction: Transaction,
  { kind, id }: Actor,
  { subject, withinMs }: { subject: Subject; withinMs: number },
): Promise<boolean> {
  const isBy = await found<boolean>(transaction)`
    select actor_kind = ${kind} and actor_id is not distinct from ${id}::text
      and at > clock_timestamp() - ${withinMs}::float8 * interval '1 millisecond' as is_by
    from audit_entry where subject_kind = ${subject.kind} and subject_id = ${subject.id}
    order by sequence desc limit 1
  `;
  return isBy ?? false;
}

export function readNthLast(transaction: Transaction, { kind, id }: Subject, nth: number) {
  return first<{ at: Date }>(transaction)`
    select at from audit_entry where subject_kind = ${kind} and subject_id = ${id}
    order by sequence desc limit 1 offset ${nth - 1}::integer
  `;
}

export async function* readChainPages(
  snapshot: Snapshot,
  pageSize: number,
): AsyncGenerator<readonly ChainEntry[]> {
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const rows = await all<ChainEntry>(snapshot)`
      select sequence, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
        actor_kind, actor_id, actor_name, action, subject_kind, subject_id, reason,
        details::text as details, encode(previous_hash, 'hex') as previous_hash,
        encode(hash, 'hex') as hash
      from audit_entry where sequence > ${last}::bigint order by sequence
      limit ${pageSize}::integer
    `;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.sequence;
    yield rows;
  }
}

export function readHead(reader: Transaction) {
  return only<{ sequence: number; hash: string }>(reader)`
    select sequence, encode(hash, 'hex') as hash from audit_head
  `;
}
