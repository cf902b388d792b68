/**
 * Keyed hashes of addresses, which outlive the member and reveal nothing without the key. A bounce
 * is about the one address, a wish of its holder about all spellings of the mailbox.
 */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Reader } from '../../db/database.ts';
import { all, found, run } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';
import { mailboxOf } from '../mailbox-rules.ts';

/** Unsubscribed, no such mailbox, marked a mail as spam. The weakest reason is first. */
const REASONS = ['stopped', 'bounced', 'complained'] as const;
export type SuppressionReason = (typeof REASONS)[number];

export type Suppression = {
  readonly reason: SuppressionReason;
  readonly since: Date;
  /** Null once the member whom it was noted for has left. */
  readonly memberId: string | null;
};

/** Keeps the strongest reason. The member is locked first, so that they cannot leave. */
export async function suppressAddress(
  { kysely }: Reader,
  secretKey: string,
  { identity, reason }: { identity: string; reason: SuppressionReason },
): Promise<void> {
  const hash =
    reason === 'bounced' ? hashOf(secretKey, identity) : hashMailbox(secretKey, identity);
  await run(kysely)`
    with owner as (select id from member where email_identity = ${identity} for key share)
    insert into mail_suppression (address_hash, reason, member_id)
    values (${hash}, ${reason}, (select id from owner))
    on conflict (address_hash) do update
    set reason = excluded.reason, since = excluded.since, member_id = excluded.member_id,
      is_acted_on = false
    where ${strengthOf('mail_suppression.reason')} < ${strengthOf('excluded.reason')}
  `;
}

const strengthOf = (column: string) =>
  sql`array_position(${[...REASONS]}::text[], ${sql.ref(column)}::text)`;

/** A member may have joined since: they take the place of one who left. */
export function linkSuppression(
  { kysely }: Database,
  secretKey: string,
  { id, identity }: { id: string; identity: string },
) {
  return run(kysely)`
    with owner as (select id from member where id = ${id}::uuid for key share)
    update mail_suppression set member_id = owner.id, is_acted_on = false from owner
    where address_hash = any(${hashesOf(secretKey, identity)}::text[]) and member_id is null
  `;
}

export type AddressFailure = { readonly hash: string; readonly memberId: string };

export function readNewFailures({ kysely }: Database, limit: number) {
  return all<AddressFailure>(kysely)`
    select address_hash as hash, member_id as "memberId" from mail_suppression
    where reason <> 'stopped' and member_id is not null and not is_acted_on
    order by since limit ${limit}::integer
  `;
}

export function markActedOn({ kysely }: Database, failures: readonly AddressFailure[]) {
  return run(kysely)`
    update mail_suppression known set is_acted_on = true
    from unnest(${failures.map(({ hash }) => hash)}::text[],
      ${failures.map(({ memberId }) => memberId)}::uuid[]) as failure (hash, member_id)
    where known.address_hash = failure.hash and known.member_id = failure.member_id
  `;
}

export async function countSuppressed({
  kysely,
}: Database): Promise<Record<SuppressionReason, number>> {
  const rows = await all<{ reason: SuppressionReason; addresses: number }>(kysely)`
    select reason, count(*) as addresses from mail_suppression group by reason
  `;
  const counts = Object.fromEntries(rows.map(({ reason, addresses }) => [reason, addresses]));
  return { stopped: 0, bounced: 0, complained: 0, ...counts };
}

/** Members whom no news is mailed: it was stopped, or they have not confirmed their address. */
export async function findUnmailed(
  kysely: Database['kysely'],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await all<{ id: string }>(kysely)`
    select member_id as id from mail_suppression where member_id = any(${[...ids]}::uuid[])
    union select id from member where id = any(${[...ids]}::uuid[]) and confirmed_at is null
  `;
  return new Set(rows.map(({ id }) => id));
}

export async function readSuppression(
  database: Reader,
  secretKey: string,
  identity: string,
): Promise<Suppression | null> {
  const found = await findSuppressed(database, secretKey, [identity]);
  return found.get(identity) ?? null;
}

/** The strongest suppression of an address and its mailbox. */
export async function findSuppressed(
  { kysely }: Reader,
  secretKey: string,
  identities: readonly string[],
): Promise<ReadonlyMap<string, Suppression>> {
  if (identities.length === 0) return new Map();
  const hashes = identities.map((identity) => hashesOf(secretKey, identity));
  const rows = await all<Suppression & { hash: string }>(kysely)`
    select address_hash as hash, reason, since, member_id as "memberId" from mail_suppression
    where address_hash = any(${hashes.flat()}::text[])
    order by ${strengthOf('reason')} desc, since desc
  `;
  return new Map(
    identities.flatMap((identity, index) => {
      const found = rows.find(({ hash }) => hashes[index]?.includes(hash));
      return found === undefined ? [] : [[identity, found]];
    }),
  );
}

/** All spellings of an address have the hash of their mailbox. */
export function hashMailbox(secretKey: string, identity: string): string {
  return hashOf(secretKey, mailboxOf(identity));
}

function hashesOf(secretKey: string, identity: string): string[] {
  return [hashOf(secretKey, identity), hashMailbox(secretKey, identity)];
}

function hashOf(secretKey: string, identity: string): string {
  return createHmac('sha256', secretKey).update('address\0').update(identity).digest('base64url');
}

export async function followAddress(
  transaction: Transaction,
  secretKey: string,
  { memberId, from, to }: { memberId: string; from: string; to: string },
): Promise<SuppressionReason | null> {
  const noteOwner = (identity: string, owner: string | null) => run(transaction)`
    update mail_suppression set member_id = ${owner}::uuid, is_acted_on = false
    where address_hash = any(${hashesOf(secretKey, identity)}::text[])`;
  if (from !== to) {
    await noteOwner(from, null);
    await noteOwner(to, memberId);
  }
  const suppression = await readSuppression({ kysely: transaction }, secretKey, to);
  return suppression?.reason ?? null;
}

/** At a member's own wish, mail resumes only after `stopped`: the address may be no good. */
export function liftSuppression(
  { kysely }: Database,
  secretKey: string,
  identity: string,
  reasons: readonly SuppressionReason[] = REASONS,
) {
  return found<SuppressionReason>(kysely)`
    delete from mail_suppression
    where address_hash = any(${hashesOf(secretKey, identity)}::text[])
      and reason = any(${[...reasons]}::text[])
    returning reason
  `;
}
