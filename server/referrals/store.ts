import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * The addresses of the members who have the codes, of one moment; codes that nobody has are left out. The row read is that of the next lower
 * code where there is none: a code that nobody has is as much work as one that somebody has, and the time of the answer says nothing.
 */
export async function readEmailsByCode({ kysely }: Database, codes: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ asked: string; email: string; referral_code: string }>`
    select asked.code as asked, nearest.email, nearest.referral_code
    from unnest(${codes}::text[]) as asked (code)
    cross join lateral (
      select email, referral_code from member where referral_code <= asked.code order by referral_code desc limit 1
    ) nearest
  `.execute(kysely);
  return new Map(rows.filter((row) => row.asked === row.referral_code).map((row) => [row.asked, row.email]));
}
