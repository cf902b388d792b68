import type { Database } from '../db/database.ts';

/** The address of the member who has the code; null when nobody has it. */
export async function readEmailByCode({ kysely }: Database, code: string): Promise<string | null> {
  const row = await kysely.selectFrom('member').select('email').where('referral_code', '=', code).executeTakeFirst();
  return row?.email ?? null;
}
