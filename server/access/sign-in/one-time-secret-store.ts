import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

type Kysely = Database['kysely'];

/** `link` signs in; `passkey` and `new_passkey` are challenges, to use one and to add one. */
export type SecretPurpose = 'link' | 'passkey' | 'new_passkey';

export type OneTimeSecret = {
  readonly purpose: SecretPurpose;
  /** Null for the first owner's link, and for a challenge that anybody may answer. */
  readonly operatorId: string | null;
};

const LIFETIME = sql`interval '15 minutes'`;

/** Returns when it expires. */
export async function insertSecret(
  kysely: Kysely,
  { secretHash, purpose, operatorId }: OneTimeSecret & { readonly secretHash: string },
): Promise<Date> {
  const { expires_at } = await kysely
    .insertInto('one_time_secret')
    .values({
      secret_hash: secretHash,
      purpose,
      operator_id: operatorId,
      expires_at: sql<Date>`clock_timestamp() + ${LIFETIME}`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

type Sought = { readonly secretHash: string; readonly purpose: SecretPurpose };

/** Without using it up; null when it is unknown, of another purpose, used or expired. */
export async function findSecret(
  kysely: Kysely,
  { secretHash, purpose }: Sought,
): Promise<OneTimeSecret | null> {
  const row = await kysely
    .selectFrom('one_time_secret')
    .select('operator_id')
    .where('secret_hash', '=', secretHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return row === undefined ? null : { purpose, operatorId: row.operator_id };
}

/** Uses it up; null when it is unknown, of another purpose, used or expired. */
export async function takeSecret(
  kysely: Kysely,
  { secretHash, purpose }: Sought,
): Promise<OneTimeSecret | null> {
  const row = await kysely
    .deleteFrom('one_time_secret')
    .where('secret_hash', '=', secretHash)
    .where('purpose', '=', purpose)
    .returning(['operator_id', sql<boolean>`expires_at > clock_timestamp()`.as('is_valid')])
    .executeTakeFirst();
  return row?.is_valid ? { purpose, operatorId: row.operator_id } : null;
}

export async function deleteExpiredSecrets({ kysely }: Pick<Database, 'kysely'>): Promise<void> {
  await kysely
    .deleteFrom('one_time_secret')
    .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
    .execute();
}
