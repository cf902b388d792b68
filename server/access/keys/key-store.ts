import { sql } from 'kysely';
import type { KeyScope } from '../../../contract/operator/access.ts';
import type { Database } from '../../db/database.ts';

type Kysely = Database['kysely'];

export type KeyRecord = { readonly id: string; readonly name: string; readonly scopes: KeyScope[] };

export type ListedKey = KeyRecord & {
  readonly hint: string;
  /** Name of the operator who made it; null: made with the operator token, or they left. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

type NewKey = {
  readonly name: string;
  readonly secretHash: string;
  readonly hint: string;
  readonly scopes: readonly KeyScope[];
  readonly createdBy: string | null;
};

export async function insertKey(kysely: Kysely, key: NewKey): Promise<string> {
  const { id } = await kysely
    .insertInto('api_key')
    .values({
      name: key.name,
      secret_hash: key.secretHash,
      hint: key.hint,
      scopes: [...key.scopes],
      created_by: key.createdBy,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The key of this secret; notes the use, at most once a minute. */
export async function touchKey(kysely: Kysely, secretHash: string): Promise<KeyRecord | null> {
  const { rows } = await sql<KeyRecord & { isDue: boolean }>`
    select id, name, scopes,
      coalesce(last_used_at, '-infinity') < clock_timestamp() - interval '1 minute' as "isDue"
    from api_key where secret_hash = ${secretHash}`.execute(kysely);
  const [row] = rows;
  if (row === undefined) return null;
  const { isDue, ...key } = row;
  if (isDue)
    await kysely
      .updateTable('api_key')
      .set({ last_used_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', key.id)
      .execute();
  return key;
}

/** Newest first. */
export async function readKeys(kysely: Kysely): Promise<ListedKey[]> {
  const { rows } = await sql<ListedKey>`
    select api_key.id, api_key.name, hint, scopes, operator.name as "createdBy",
      api_key.created_at as "createdAt", last_used_at as "lastUsedAt"
    from api_key left join operator on operator.id = created_by
    order by api_key.created_at desc, api_key.id`.execute(kysely);
  return rows;
}

/** The deleted key; null when there was none. */
export async function deleteKey(
  kysely: Kysely,
  id: string,
): Promise<Pick<KeyRecord, 'id' | 'name'> | null> {
  const row = await kysely
    .deleteFrom('api_key')
    .where('id', '=', id)
    .returning(['id', 'name'])
    .executeTakeFirst();
  return row ?? null;
}
