import type { Database } from '../db/database.ts';

/**
 * The address of the member who has the code; null when nobody has it. The row read is that of the next lower code where there is none: a
 * code that nobody has is as much work as one that somebody has, and the time of the answer says nothing.
 */
export async function readEmailByCode({ kysely }: Database, code: string): Promise<string | null> {
  const row = await kysely
    .selectFrom('member')
    .select(['email', 'referral_code'])
    .where('referral_code', '<=', code)
    .orderBy('referral_code', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.referral_code === code ? row.email : null;
}
