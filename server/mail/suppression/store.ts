/** Keyed hashes of addresses: they outlive the member, and reveal nothing without the key. */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Reader } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';

/** Unsubscribed, no such mailbox, marked a mail as spam. The weakest reason is first. */
const REASONS = ['stopped', 'bounced', 'complained'] as const;
export type SuppressionReason = (typeof REASONS)[number];

type Suppression = { readonly reason: SuppressionReason; readonly since: Date };

/** Keeps the strongest reason. The member is locked first, so that they cannot leave. */
export async function suppressAddress(
  { kysely }: Reader,
  secretKey: string,
  { identity, reason }: { identity: string; reason: SuppressionReason },
): Promise<void> {
  const strength = (column: string) =>
    sql`array_position(${[...REASONS]}::text[], ${sql.ref(column)}::text)`;
  await sql`
    with owner as (select id from member where email_identity = ${identity} for key share)
    insert into mail_suppression (address_hash, reason, member_id)
    values (${hashOf(secretKey, identity)}, ${reason}, (select id from owner))
    on conflict (address_hash) do update
    set reason = excluded.reason, since = excluded.since, member_id = excluded.member_id,
      is_acted_on = false
    where ${strength('mail_suppression.reason')} < ${strength('excluded.reason')}
  `.execute(kysely);
}

export async function linkSuppression(
  { kysely }: Database,
  secretKey: string,
  { id, identity }: { id: string; identity: string },
): Promise<void> {
  await sql`
    with owner as (select id from member where id = ${id}::uuid for key share)
    update mail_suppression set member_id = owner.id, is_acted_on = false from owner
    where address_hash = ${hashOf(secretKey, identity)} and member_id is distinct from owner.id
  `.execute(kysely);
}

/**
 * Whether they stopped mail, left, and joined anew since, of their own accord, and got no mail for a
 * day: the one of the join may be lost.
 */
export async function hasJoinedAnew(
  { kysely }: Database,
  secretKey: string,
  { id, identity }: { id: string; identity: string },
): Promise<boolean> {
  // Whom an operator imported has this request_hash.
  const { rows } = await sql`
    select from member join mail_suppression known on known.since < member.joined_at
    where member.id = ${id}::uuid and request_hash <> md5(id::text)::uuid
      and address_hash = ${hashOf(secretKey, identity)} and reason = 'stopped'
      and not exists (
        select from pgboss.job
        where (data->>'memberId')::uuid = member.id and output->>'outcome' in ('sent', 'kept')
          and completed_on > now() - interval '1 day')
  `.execute(kysely);
  return rows.length > 0;
}

export type AddressFailure = { readonly hash: string; readonly memberId: string };

export async function readNewFailures(
  { kysely }: Database,
  limit: number,
): Promise<AddressFailure[]> {
  const { rows } = await sql<AddressFailure>`
    select address_hash as hash, member_id as "memberId" from mail_suppression
    where reason <> 'stopped' and member_id is not null and not is_acted_on
    order by since limit ${limit}::integer
  `.execute(kysely);
  return rows;
}

export async function markActedOn(
  { kysely }: Database,
  failures: readonly AddressFailure[],
): Promise<void> {
  await sql`
    update mail_suppression known set is_acted_on = true
    from unnest(${failures.map(({ hash }) => hash)}::text[],
      ${failures.map(({ memberId }) => memberId)}::uuid[]) as failure (hash, member_id)
    where known.address_hash = failure.hash and known.member_id = failure.member_id
  `.execute(kysely);
}

export async function countSuppressed({
  kysely,
}: Database): Promise<Record<SuppressionReason, number>> {
  const { rows } = await sql<{ reason: SuppressionReason; addresses: number }>`
    select reason, count(*) as addresses from mail_suppression group by reason
  `.execute(kysely);
  const counts = Object.fromEntries(rows.map(({ reason, addresses }) => [reason, addresses]));
  return { stopped: 0, bounced: 0, complained: 0, ...counts };
}

export async function findSuppressedMembers(
  kysely: Database['kysely'],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ member_id: string }>`
    select member_id from mail_suppression where member_id = any(${[...ids]}::uuid[])
  `.execute(kysely);
  return new Set(rows.map(({ member_id }) => member_id));
}

export async function readSuppression(
  { kysely }: Reader,
  secretKey: string,
  identity: string,
): Promise<Suppression | null> {
  const { rows } = await sql<Suppression>`
    select reason, since from mail_suppression where address_hash = ${hashOf(secretKey, identity)}
  `.execute(kysely);
  return rows[0] ?? null;
}

export async function findSuppressed(
  { kysely }: Database,
  secretKey: string,
  identities: readonly string[],
): Promise<ReadonlyMap<string, SuppressionReason>> {
  if (identities.length === 0) return new Map();
  const byHash = new Map(identities.map((identity) => [hashOf(secretKey, identity), identity]));
  const { rows } = await sql<{ hash: string; reason: SuppressionReason }>`
    select address_hash as hash, reason from mail_suppression
    where address_hash = any(${[...byHash.keys()]}::text[])
  `.execute(kysely);
  return new Map(rows.map(({ hash, reason }) => [byHash.get(hash) ?? '', reason]));
}

function hashOf(secretKey: string, identity: string): string {
  return createHmac('sha256', secretKey).update('address\0').update(identity).digest('base64url');
}

export async function followAddress(
  transaction: Transaction,
  secretKey: string,
  { memberId, from, to }: { memberId: string; from: string; to: string },
): Promise<SuppressionReason | null> {
  const noteOwner = (identity: string, owner: string | null) =>
    transaction
      .updateTable('mail_suppression')
      .set({ member_id: owner, is_acted_on: false })
      .where('address_hash', '=', hashOf(secretKey, identity))
      .execute();
  if (from !== to) {
    await noteOwner(from, null);
    await noteOwner(to, memberId);
  }
  const suppression = await readSuppression({ kysely: transaction }, secretKey, to);
  return suppression?.reason ?? null;
}

/** At a member's own wish, mail resumes only after `stopped`: the address may be no good. */
export async function liftSuppression(
  { kysely }: Database,
  secretKey: string,
  identity: string,
  reasons: readonly SuppressionReason[] = REASONS,
): Promise<SuppressionReason | null> {
  const { rows } = await sql<Pick<Suppression, 'reason'>>`
    delete from mail_suppression
    where address_hash = ${hashOf(secretKey, identity)} and reason = any(${[...reasons]}::text[])
    returning reason
  `.execute(kysely);
  return rows[0]?.reason ?? null;
}
