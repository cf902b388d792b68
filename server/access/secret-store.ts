/** Only the SHA-256 of a secret is stored: 256 random bits cannot be guessed. */
import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { ApiKeys, Me, Operator, Sessions } from '../../contract/operator/access.ts';
import type { Database, Reader } from '../db/database.ts';
import { isoTime } from '../db/iso-time.ts';
import { all, column, first, run, some, value } from '../db/rows.ts';

type Kysely = Database['kysely'];

export type Session = NonNullable<Me['session']>;

type Key = Pick<ApiKeys['keys'][number], 'id' | 'name' | 'scopes' | 'state'>;

const LIFETIME = sql`interval '15 minutes'`;
const LONGEST = sql`interval '12 hours'`;
const IS_OPEN = sql`(
  operator_session.last_used_at > clock_timestamp() - interval '30 minutes'
  and operator_session.created_at > clock_timestamp() - ${LONGEST})`;
/** A key passes as long as whoever made it is an owner. Needs the operator who did, joined. */
const KEY_STATE = sql`case when api_key.ends_at <= clock_timestamp() then 'ended'
  when operator.role <> 'owner' then 'suspended' else 'active' end as state`;
/** A use is noted once a minute, so that a page that polls does not write with every call. */
const IS_DUE = sql`
  coalesce(last_used_at, '-infinity') < clock_timestamp() - interval '1 minute' as is_due`;

function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

export async function insertLink(kysely: Kysely, operatorId: string | null) {
  const secret = generateSecret();
  const expires_at = await value<string>(kysely)`
    insert into one_time_secret (secret_hash, purpose, operator_id, expires_at)
    values (${hash(secret)}, 'link', ${operatorId}, clock_timestamp() + ${LIFETIME})
    returning ${isoTime(sql`expires_at`)} as expires_at`;
  return { secret, expires_at };
}

type Link = { readonly operator_id: string | null };

const isUsable = (secret: string) => sql`
  secret_hash = ${hash(secret)} and purpose = 'link' and expires_at > clock_timestamp()`;

/** Leaves it usable. Null when it is unknown, used or expired. */
export function findLink(kysely: Kysely, secret: string) {
  return first<Link>(kysely)`select operator_id from one_time_secret where ${isUsable(secret)}`;
}

export function takeLink(kysely: Kysely, secret: string) {
  return first<Link>(kysely)`
    delete from one_time_secret where ${isUsable(secret)} returning operator_id`;
}

export function spendChallenge(kysely: Kysely, challenge: string) {
  return some(kysely)`insert into one_time_secret (secret_hash, purpose, expires_at)
    values (${hash(`used ${challenge}`)}, 'passkey', clock_timestamp() + ${LIFETIME})
    on conflict do nothing returning purpose`;
}

export async function insertSession(kysely: Kysely, operatorId: string, device: string) {
  const secret = generateSecret();
  await run(kysely)`insert into operator_session (secret_hash, operator_id, device)
    values (${hash(secret)}, ${operatorId}, ${device})`;
  return secret;
}

/** Null when it has ended. A page that polls does not keep its session open. */
export async function findSession(
  kysely: Kysely,
  secret: string,
  { isUnattended }: { readonly isUnattended: boolean },
): Promise<Session | null> {
  const found = await first<Operator & { session: string; ends_at: string; is_due: boolean }>(
    kysely,
  )`
    select operator_session.id as session, operator.id, email, name, role, ${IS_DUE},
      ${isoTime(sql`operator_session.created_at + ${LONGEST}`)} as ends_at
    from operator_session join operator on operator.id = operator_session.operator_id
    where secret_hash = ${hash(secret)} and ${IS_OPEN}`;
  if (found === null) return null;
  const { session: id, ends_at, is_due, ...operator } = found;
  if (is_due && !isUnattended)
    await run(kysely)`update operator_session set last_used_at = clock_timestamp()
      where id = ${id}`;
  return { id, operator, ends_at };
}

export function readSessions(kysely: Kysely, operatorId: string) {
  return all<Omit<Sessions['sessions'][number], 'is_current'>>(kysely)`
    select id, device, ${isoTime(sql`created_at`)} as created_at,
      ${isoTime(sql`last_used_at`)} as last_used_at
    from operator_session where operator_id = ${operatorId} and ${IS_OPEN}
    order by operator_session.last_used_at desc`;
}

export function deleteSession(kysely: Kysely, operatorId: string, id: string) {
  return some(kysely)`delete from operator_session
    where operator_id = ${operatorId} and id = ${id} returning id`;
}

/** Links go first: a sign-in under way is waited for, and its session ends, too. */
export async function deleteWaysIn(kysely: Kysely, operatorId: string): Promise<void> {
  await run(kysely)`delete from one_time_secret where operator_id = ${operatorId}`;
  await run(kysely)`delete from operator_session where operator_id = ${operatorId}`;
}

export function deleteSessionBySecret(kysely: Kysely, secret: string) {
  return run(kysely)`delete from operator_session where secret_hash = ${hash(secret)}`;
}

/** Scanners for lost secrets recognise a key by its prefix. */
const KEY_PREFIX = 'waitlist_key_';
const HINT_LENGTH = KEY_PREFIX.length + 4;

export function isKey(token: string): boolean {
  return token.startsWith(KEY_PREFIX);
}

type NewKeyRow = Pick<Key, 'name' | 'scopes'> & {
  readonly created_by: string | null;
  readonly ends_at: Date | null;
};

export async function insertKey(kysely: Kysely, { name, scopes, created_by, ends_at }: NewKeyRow) {
  const key = KEY_PREFIX + generateSecret();
  const id = await value<string>(kysely)`
    insert into api_key (name, scopes, created_by, ends_at, hint, secret_hash)
    values (${name}, ${scopes}::text[], ${created_by}, ${ends_at},
      ${key.slice(0, HINT_LENGTH)}, ${hash(key)})
    returning id`;
  return { id, key };
}

/** A key in any state. Notes the use of an active one. */
export async function findKey(kysely: Kysely, key: string): Promise<Key | null> {
  const found = await first<Key & { is_due: boolean }>(kysely)`
    select api_key.id, api_key.name, scopes, ${KEY_STATE}, ${IS_DUE}
    from api_key left join operator on operator.id = created_by
    where secret_hash = ${hash(key)}`;
  if (found?.state === 'active' && found.is_due)
    await run(kysely)`update api_key set last_used_at = clock_timestamp()
      where id = ${found.id}`;
  return found;
}

export function readKeys(kysely: Kysely) {
  return all<ApiKeys['keys'][number]>(kysely)`
    select api_key.id, api_key.name, hint, scopes, operator.name as created_by,
      created_by as created_by_id, ${KEY_STATE},
      ${isoTime(sql`api_key.created_at`)} as created_at, ${isoTime(sql`ends_at`)} as ends_at,
      ${isoTime(sql`last_used_at`)} as last_used_at
    from api_key left join operator on operator.id = created_by
    order by api_key.created_at desc, api_key.id`;
}

export function readKeyNames(kysely: Kysely, operatorId: string) {
  return column<string>(kysely)`
    select name from api_key where created_by = ${operatorId} order by created_at, id`;
}

export function deleteKey(kysely: Kysely, id: string) {
  return first<{ id: string; name: string }>(kysely)`
    delete from api_key where id = ${id} returning id, name`;
}

export async function deleteEnded({ kysely }: Reader): Promise<void> {
  await run(kysely)`delete from operator_session where not ${IS_OPEN}`;
  await run(kysely)`delete from one_time_secret where expires_at <= clock_timestamp()`;
}
