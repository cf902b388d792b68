import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

type Kysely = Database['kysely'];

export type StoredPasskey = {
  readonly id: string;
  readonly credentialId: string;
  readonly operatorId: string;
  readonly publicKey: string;
  readonly signCount: number;
  readonly transports: string[];
};

export type ListedPasskey = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

/** Null when the credential is stored already. */
export async function insertPasskey(
  kysely: Kysely,
  { name, ...passkey }: Omit<StoredPasskey, 'id'> & { readonly name: string },
): Promise<ListedPasskey | null> {
  const row = await kysely
    .insertInto('passkey')
    .values({
      credential_id: passkey.credentialId,
      operator_id: passkey.operatorId,
      name,
      public_key: passkey.publicKey,
      sign_count: passkey.signCount,
      transports: passkey.transports,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .executeTakeFirst();
  return row ?? null;
}

export async function findPasskey(
  kysely: Kysely,
  credentialId: string,
): Promise<StoredPasskey | null> {
  const row = await kysely
    .selectFrom('passkey')
    .select([
      'id',
      'credential_id as credentialId',
      'operator_id as operatorId',
      'public_key as publicKey',
      'sign_count as signCount',
      'transports',
    ])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the count was still `from`: of two uses with one count, one is a copy's. */
export async function countPasskeyUse(
  kysely: Kysely,
  { id, from, to }: { readonly id: string; readonly from: number; readonly to: number },
): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('passkey')
    .set({ sign_count: to, last_used_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .where('sign_count', '=', from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** In the order in which they were added. */
export async function readPasskeys(kysely: Kysely, operatorId: string) {
  return await kysely
    .selectFrom('passkey')
    .select([
      'id',
      'name',
      'credential_id as credentialId',
      'transports',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
    ])
    .where('operator_id', '=', operatorId)
    .orderBy('created_at')
    .execute();
}

type OwnPasskey = { readonly id: string; readonly operatorId: string };

/** The name that it had; null when this operator has no such passkey. */
export async function renamePasskey(
  kysely: Kysely,
  { id, operatorId, name }: OwnPasskey & { readonly name: string },
): Promise<string | null> {
  const before = await kysely
    .selectFrom('passkey')
    .select('name')
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) return null;
  await kysely.updateTable('passkey').set({ name }).where('id', '=', id).execute();
  return before.name;
}

/** The deleted passkey; null when this operator had no such one. */
export async function deletePasskey(
  kysely: Kysely,
  { id, operatorId }: OwnPasskey,
): Promise<Pick<ListedPasskey, 'id' | 'name'> | null> {
  const row = await kysely
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .returning(['id', 'name'])
    .executeTakeFirst();
  return row ?? null;
}
