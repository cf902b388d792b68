/**
 * Addresses that are not mailed, stored as keyed hashes only: they outlive the member, and reveal
 * nothing without the secret key. `identity` is equal for all spellings of an address.
 */
import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';

/** stopped: unsubscribed · bounced: no such mailbox · complained: marked our mail as spam. */
export type SuppressionReason = 'stopped' | 'bounced' | 'complained';

export type Suppression = { readonly reason: SuppressionReason; readonly since: Date };

/**
 * Idempotent. Keeps the strongest reason: a complaint does not turn into an unsubscription. The
 * member is locked first, so that they cannot leave meanwhile and stay named here.
 */
export async function suppressAddress(
  { kysely }: Database,
  secretKey: string,
  { identity, reason }: { identity: string; reason: SuppressionReason },
): Promise<void> {
  const strength = (column: string) =>
    sql`array_position(array['stopped', 'bounced', 'complained'], ${sql.ref(column)}::text)`;
  await sql`
    with owner as (select id from member where email_identity = ${identity} for key share)
    insert into mail_suppression (address_hash, reason, member_id)
    values (${hashOf(secretKey, identity)}, ${reason}, (select id from owner))
    on conflict (address_hash) do update
    set reason = excluded.reason, since = excluded.since, member_id = excluded.member_id
    where ${strength('mail_suppression.reason')} < ${strength('excluded.reason')}
  `.execute(kysely);
}

/** Notes which member has a suppressed address: somebody may join with one. */
export async function linkSuppression(
  { kysely }: Database,
  secretKey: string,
  { id, identity }: { id: string; identity: string },
): Promise<void> {
  await sql`
    with owner as (select id from member where id = ${id}::uuid for key share)
    update mail_suppression set member_id = owner.id from owner
    where address_hash = ${hashOf(secretKey, identity)} and member_id is distinct from owner.id
  `.execute(kysely);
}

/** The member's address has changed from the one to the other. */
async function moveSuppression(
  transaction: Transaction,
  secretKey: string,
  { id, from, to }: { id: string; from: string; to: string },
): Promise<void> {
  const noteOwner = (identity: string, owner: string | null) =>
    transaction
      .updateTable('mail_suppression')
      .set({ member_id: owner })
      .where('address_hash', '=', hashOf(secretKey, identity))
      .execute();
  await noteOwner(from, null);
  await noteOwner(to, id);
}

/** Does nothing when the address is suppressed for another reason. */
async function deleteSuppression(
  { kysely }: Database,
  secretKey: string,
  { identity, reasons }: { identity: string; reasons: readonly SuppressionReason[] },
): Promise<void> {
  await kysely
    .deleteFrom('mail_suppression')
    .where('address_hash', '=', hashOf(secretKey, identity))
    .where('reason', 'in', reasons)
    .execute();
}

/** Addresses that get no mail, by reason. */
export async function countSuppressed({
  kysely,
}: Database): Promise<Record<SuppressionReason, number>> {
  const { rows } = await sql<{ reason: SuppressionReason; addresses: number }>`
    select reason, count(*) as addresses from mail_suppression group by reason
  `.execute(kysely);
  const counts = Object.fromEntries(rows.map(({ reason, addresses }) => [reason, addresses]));
  return { stopped: 0, bounced: 0, complained: 0, ...counts };
}

/** Members among these whose address is known to get no mail. */
export async function findSuppressedMembers(
  kysely: Database['kysely'],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ member_id: string }>`
    select member_id from mail_suppression where member_id = any(${[...ids]}::uuid[])
  `.execute(kysely);
  return new Set(rows.map(({ member_id }) => member_id));
}

/** Null when the address is mailed. */
export async function readSuppression(
  { kysely }: Pick<Database, 'kysely'>,
  secretKey: string,
  identity: string,
): Promise<Suppression | null> {
  const row = await kysely
    .selectFrom('mail_suppression')
    .select(['reason', 'since'])
    .where('address_hash', '=', hashOf(secretKey, identity))
    .executeTakeFirst();
  return row ?? null;
}

/** The suppressed ones among `identities`, in one query. */
export async function findSuppressed(
  { kysely }: Database,
  secretKey: string,
  identities: readonly string[],
): Promise<Set<string>> {
  if (identities.length === 0) return new Set();
  const byHash = new Map(identities.map((identity) => [hashOf(secretKey, identity), identity]));
  const rows = await kysely
    .selectFrom('mail_suppression')
    .select('address_hash as hash')
    .where('address_hash', '=', sql<string>`any(${[...byHash.keys()]}::text[])`)
    .execute();
  return new Set(rows.flatMap(({ hash }) => byHash.get(hash) ?? []));
}

function hashOf(secretKey: string, identity: string): string {
  return createHmac('sha256', secretKey).update('address\0').update(identity).digest('base64url');
}

/** Suppression belongs to an address. Returns why the member's new one gets no mail, or null. */
export async function followAddress(
  transaction: Transaction,
  secretKey: string,
  { memberId, from, to }: { memberId: string; from: string; to: string },
): Promise<SuppressionReason | null> {
  if (from !== to) await moveSuppression(transaction, secretKey, { id: memberId, from, to });
  const suppression = await readSuppression({ kysely: transaction }, secretKey, to);
  return suppression?.reason ?? null;
}

/** At the member's wish. An address that bounced or complained stays suppressed. */
export async function resumeMail(
  database: Database,
  secretKey: string,
  identity: string,
): Promise<void> {
  await deleteSuppression(database, secretKey, { identity, reasons: ['stopped'] });
}

/** Resumes mail whatever the reason was, and returns the reason, for the operator. */
export async function liftSuppression(
  database: Database,
  secretKey: string,
  identity: string,
): Promise<SuppressionReason | null> {
  const suppression = await readSuppression(database, secretKey, identity);
  const reasons: SuppressionReason[] = ['stopped', 'bounced', 'complained'];
  await deleteSuppression(database, secretKey, { identity, reasons });
  return suppression?.reason ?? null;
}
