import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

/**
 * The addresses of the members with the codes; unknown codes are left out. For an unknown code the
 * row of the next lower one is read, so that both take the same time.
 */
export async function readEmailsByCode(
  { kysely }: Database,
  codes: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ asked: string; email: string; referral_code: string }>`
    select asked.code as asked, nearest.email, nearest.referral_code
    from unnest(${codes}::text[]) as asked (code)
    cross join lateral (
      select email, referral_code from member where referral_code <= asked.code
      order by referral_code desc limit 1
    ) nearest
  `.execute(kysely);
  return new Map(
    rows.filter((row) => row.asked === row.referral_code).map((row) => [row.asked, row.email]),
  );
}
