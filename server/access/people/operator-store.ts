import { sql } from 'kysely';
import type { OperatorRole } from '../../../contract/operator/access.ts';
import type { Database } from '../../db/database.ts';
import type { EmailAddress } from '../../mail/email-rules.ts';

export type OperatorRecord = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
};

export type ListedOperator = OperatorRecord & {
  readonly createdAt: Date;
  /** Of their sessions; null when none is left. */
  readonly lastUsedAt: Date | null;
  readonly passkeys: number;
};

type NewOperator = {
  readonly address: EmailAddress;
  readonly name: string;
  readonly role: OperatorRole;
};

type Kysely = Database['kysely'];

const RECORD = ['id', 'email', 'name', 'role'] as const;

export async function hasOperators(kysely: Kysely): Promise<boolean> {
  const row = await kysely.selectFrom('operator').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

export async function findOperator(
  kysely: Kysely,
  by: { readonly id: string } | { readonly identity: string },
): Promise<OperatorRecord | null> {
  const query = kysely.selectFrom('operator').select(RECORD);
  const found =
    'id' in by ? query.where('id', '=', by.id) : query.where('email_identity', '=', by.identity);
  return (await found.executeTakeFirst()) ?? null;
}

/** Of all operators; at most two are read. */
export async function findOwners(kysely: Kysely): Promise<OperatorRecord[]> {
  return await kysely
    .selectFrom('operator')
    .select(RECORD)
    .where('role', '=', 'owner')
    .orderBy('created_at')
    .limit(2)
    .execute();
}

/** In the order in which they came. */
export async function readOperators(kysely: Kysely): Promise<ListedOperator[]> {
  const { rows } = await sql<ListedOperator>`
    select id, email, name, role, created_at as "createdAt",
      (select max(last_used_at) from operator_session where operator_id = operator.id)
        as "lastUsedAt",
      (select count(*)::integer from passkey where operator_id = operator.id) as passkeys
    from operator order by created_at, id`.execute(kysely);
  return rows;
}

/** Null when the address is an operator's already. */
export async function insertOperator(
  kysely: Kysely,
  { address, name, role }: NewOperator,
): Promise<OperatorRecord | null> {
  const row = await kysely
    .insertInto('operator')
    .values({ email: address.email, email_identity: address.identity, name, role })
    .onConflict((conflict) => conflict.column('email_identity').doNothing())
    .returning(RECORD)
    .executeTakeFirst();
  return row ?? null;
}

/** Null when somebody else is there already. Others that try at the same moment wait. */
export async function insertFirstOwner(
  kysely: Kysely,
  { address, name }: Omit<NewOperator, 'role'>,
): Promise<OperatorRecord | null> {
  await sql`lock table operator in share row exclusive mode`.execute(kysely);
  return (await hasOperators(kysely))
    ? null
    : await insertOperator(kysely, { address, name, role: 'owner' });
}

/** Null when there is no such operator. */
export async function updateRole(
  kysely: Kysely,
  { id, role }: { readonly id: string; readonly role: OperatorRole },
): Promise<OperatorRecord | null> {
  const row = await kysely
    .updateTable('operator')
    .set({ role })
    .where('id', '=', id)
    .returning(RECORD)
    .executeTakeFirst();
  return row ?? null;
}

/** Ends their sessions too. Null when there is no such operator. */
export async function deleteOperator(kysely: Kysely, id: string): Promise<OperatorRecord | null> {
  const row = await kysely
    .deleteFrom('operator')
    .where('id', '=', id)
    .returning(RECORD)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether a change was refused because it would have left no owner. */
export function isLastOwner(error: unknown): boolean {
  return (
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === 'operator_keeps_an_owner'
  );
}
