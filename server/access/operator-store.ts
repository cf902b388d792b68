/** SQL of operators and their passkeys. Where there is no such row, the answer is undefined. */
import { type Selectable, sql } from 'kysely';
import type {
  Operator,
  OperatorRole,
  Operators,
  Passkeys,
} from '../../contract/operator/access.ts';
import type { Database } from '../db/database.ts';
import { isoTime } from '../db/iso-time.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { EmailAddress } from '../mail/email-rules.ts';
import { readOne } from './secret-store.ts';

type Kysely = Database['kysely'];
type PasskeyRow = Selectable<Tables['passkey']>;

const OPERATOR = sql`id, email, name, role`;

export async function hasOperators(kysely: Kysely): Promise<boolean> {
  return (await readOne(kysely, sql`select id from operator limit 1`)) !== undefined;
}

export function findOperator(
  kysely: Kysely,
  by: { readonly id: string } | { readonly identity: string },
) {
  const isSought = 'id' in by ? sql`id = ${by.id}` : sql`email_identity = ${by.identity}`;
  return readOne(kysely, sql<Operator>`select ${OPERATOR} from operator where ${isSought}`);
}

export async function findOwners(kysely: Kysely): Promise<Operator[]> {
  const { rows } = await sql<Operator>`select ${OPERATOR} from operator where role = 'owner'
    order by created_at limit 2`.execute(kysely);
  return rows;
}

export async function readOperators(kysely: Kysely): Promise<Operators['operators']> {
  const { rows } = await sql<Operators['operators'][number]>`
    select ${OPERATOR}, ${isoTime(sql`created_at`)} as created_at,
      (select ${isoTime(sql`max(last_used_at)`)} from operator_session
        where operator_id = operator.id) as last_used_at,
      (select count(*)::integer from passkey where operator_id = operator.id) as passkeys
    from operator order by operator.created_at, id`.execute(kysely);
  return rows;
}

/** Undefined when the address is an operator's already. */
export function insertOperator(
  kysely: Kysely,
  { address, name, role }: { address: EmailAddress; name: string; role: OperatorRole },
) {
  const query = sql<Operator>`insert into operator (email, email_identity, name, role)
    values (${address.email}, ${address.identity}, ${name}, ${role})
    on conflict (email_identity) do nothing returning ${OPERATOR}`;
  return readOne(kysely, query);
}

/** Undefined when there is an operator already. Concurrent calls wait for each other. */
export async function insertFirstOwner(
  kysely: Kysely,
  owner: { address: EmailAddress; name: string },
) {
  await sql`lock table operator in share row exclusive mode`.execute(kysely);
  if (await hasOperators(kysely)) return undefined;
  return await insertOperator(kysely, { ...owner, role: 'owner' });
}

export function updateRole(kysely: Kysely, id: string, role: OperatorRole) {
  const query = sql<Operator>`
    update operator set role = ${role} where id = ${id} returning ${OPERATOR}`;
  return readOne(kysely, query);
}

export function deleteOperator(kysely: Kysely, id: string) {
  return readOne(
    kysely,
    sql<Operator>`delete from operator where id = ${id} returning ${OPERATOR}`,
  );
}

export function isLastOwner(error: unknown): boolean {
  return (
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === 'operator_keeps_an_owner'
  );
}

type Passkey = Passkeys['passkeys'][number];

const PASSKEY = sql`id, name, ${isoTime(sql`created_at`)} as created_at,
  ${isoTime(sql`last_used_at`)} as last_used_at`;

/** Undefined when the credential is stored already. */
export function insertPasskey(
  kysely: Kysely,
  {
    credential_id,
    operator_id,
    name,
    public_key,
    sign_count,
    transports,
  }: Omit<PasskeyRow, 'id' | 'created_at' | 'last_used_at'>,
) {
  const query = sql<Passkey>`insert into passkey
      (credential_id, operator_id, name, public_key, sign_count, transports)
    values (${credential_id}, ${operator_id}, ${name}, ${public_key}, ${sign_count},
      ${transports}::text[])
    on conflict (credential_id) do nothing returning ${PASSKEY}`;
  return readOne(kysely, query);
}

export function findPasskey(kysely: Kysely, credentialId: string) {
  const query = sql<PasskeyRow>`select * from passkey where credential_id = ${credentialId}`;
  return readOne(kysely, query);
}

/** Whether the count was still `from`: of two uses with one count, one is a copy's. */
export async function countPasskeyUse(
  kysely: Kysely,
  { id, from, to }: { readonly id: string; readonly from: number; readonly to: number },
): Promise<boolean> {
  const query = sql`update passkey set sign_count = ${to}, last_used_at = clock_timestamp()
    where id = ${id} and sign_count = ${from} returning id`;
  return (await readOne(kysely, query)) !== undefined;
}

export async function readPasskeys(kysely: Kysely, operatorId: string) {
  const { rows } = await sql<Passkey & Pick<PasskeyRow, 'credential_id' | 'transports'>>`
    select ${PASSKEY}, credential_id, transports from passkey
    where operator_id = ${operatorId} order by passkey.created_at`.execute(kysely);
  return rows;
}

type OwnPasskey = { readonly id: string; readonly operator_id: string };

export async function renamePasskey(
  kysely: Kysely,
  { id, operator_id }: OwnPasskey,
  name: string,
): Promise<string | undefined> {
  const query = sql<{ name: string }>`
    with before as (
      select id, name from passkey
      where id = ${id} and operator_id = ${operator_id} for update
    )
    update passkey set name = ${name} from before where passkey.id = before.id
    returning before.name`;
  return (await readOne(kysely, query))?.name;
}

export async function deletePasskey(
  kysely: Kysely,
  { id, operator_id }: OwnPasskey,
): Promise<string | undefined> {
  const query = sql<{ name: string }>`delete from passkey
    where id = ${id} and operator_id = ${operator_id} returning name`;
  return (await readOne(kysely, query))?.name;
}
