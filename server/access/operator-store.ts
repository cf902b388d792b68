import { type Selectable, sql } from 'kysely';
import type {
  Operator,
  OperatorRole,
  Operators,
  Passkeys,
} from '../../contract/operator/access.ts';
import type { Database } from '../db/database.ts';
import { isoTime } from '../db/iso-time.ts';
import { all, first, found, run, some } from '../db/rows.ts';
import type { Tables } from '../db/schema/tables.ts';
import type { EmailAddress } from '../mail/email-rules.ts';

type Kysely = Database['kysely'];
type PasskeyRow = Selectable<Tables['passkey']>;

const OPERATOR = sql`id, email, name, role`;

export function hasOperators(kysely: Kysely) {
  return some(kysely)`select from operator limit 1`;
}

export function findOperator(
  kysely: Kysely,
  by: { readonly id: string } | { readonly identity: string },
) {
  const isSought = 'id' in by ? sql`id = ${by.id}` : sql`email_identity = ${by.identity}`;
  return first<Operator>(kysely)`select ${OPERATOR} from operator where ${isSought}`;
}

export function findOwners(kysely: Kysely) {
  return all<Operator>(kysely)`select ${OPERATOR} from operator where role = 'owner'
    order by created_at limit 2`;
}

export function readOperators(kysely: Kysely) {
  return all<Operators['operators'][number]>(kysely)`
    select ${OPERATOR}, ${isoTime(sql`created_at`)} as created_at,
      (select ${isoTime(sql`max(last_used_at)`)} from operator_session
        where operator_id = operator.id) as last_used_at,
      (select count(*)::integer from passkey where operator_id = operator.id) as passkeys
    from operator order by operator.created_at, id`;
}

export function insertOperator(
  kysely: Kysely,
  { address, name, role }: { address: EmailAddress; name: string; role: OperatorRole },
) {
  return first<Operator>(kysely)`insert into operator (email, email_identity, name, role)
    values (${address.email}, ${address.identity}, ${name}, ${role})
    on conflict (email_identity) do nothing returning ${OPERATOR}`;
}

/** Null when there is an operator already. Concurrent calls wait for each other. */
export async function insertFirstOwner(
  kysely: Kysely,
  owner: { address: EmailAddress; name: string },
) {
  await run(kysely)`lock table operator in share row exclusive mode`;
  if (await hasOperators(kysely)) return null;
  return await insertOperator(kysely, { ...owner, role: 'owner' });
}

export function updateRole(kysely: Kysely, id: string, role: OperatorRole) {
  return first<Operator>(kysely)`
    update operator set role = ${role} where id = ${id} returning ${OPERATOR}`;
}

export function deleteOperator(kysely: Kysely, id: string) {
  return first<Operator>(kysely)`delete from operator where id = ${id} returning ${OPERATOR}`;
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

export function insertPasskey(
  kysely: Kysely,
  passkey: Omit<PasskeyRow, 'id' | 'created_at' | 'last_used_at'>,
) {
  return first<Passkey>(kysely)`insert into passkey
      (credential_id, operator_id, name, public_key, sign_count, transports)
    values (${passkey.credential_id}, ${passkey.operator_id}, ${passkey.name},
      ${passkey.public_key}, ${passkey.sign_count}, ${passkey.transports}::text[])
    on conflict (credential_id) do nothing returning ${PASSKEY}`;
}

export function findPasskey(kysely: Kysely, credentialId: string) {
  return first<PasskeyRow>(kysely)`select * from passkey where credential_id = ${credentialId}`;
}

/** Returns whether the count was still `from`. A second use with one count is a copy's. */
export function countPasskeyUse(
  kysely: Kysely,
  { id, from, to }: { readonly id: string; readonly from: number; readonly to: number },
) {
  return some(kysely)`update passkey set sign_count = ${to}, last_used_at = clock_timestamp()
    where id = ${id} and sign_count = ${from} returning id`;
}

export function readPasskeys(kysely: Kysely, operatorId: string) {
  return all<Passkey & Pick<PasskeyRow, 'credential_id' | 'transports'>>(kysely)`
    select ${PASSKEY}, credential_id, transports from passkey
    where operator_id = ${operatorId} order by passkey.created_at`;
}

type OwnPasskey = Pick<PasskeyRow, 'id' | 'operator_id'>;

export function renamePasskey(kysely: Kysely, { id, operator_id }: OwnPasskey, name: string) {
  return found<string>(kysely)`
    with before as (
      select id, name from passkey
      where id = ${id} and operator_id = ${operator_id} for update
    )
    update passkey set name = ${name} from before where passkey.id = before.id
    returning before.name`;
}

export function deletePasskey(kysely: Kysely, { id, operator_id }: OwnPasskey) {
  return found<string>(kysely)`delete from passkey
    where id = ${id} and operator_id = ${operator_id} returning name`;
}
