import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * Takes the right to mail a member their status link; false when that happened less than `pauseMinutes` ago. One statement, so
 * that of many requests at once exactly one takes it.
 */
export async function claimStatusMail(
  { kysely }: Database,
  { memberId, pauseMinutes }: { memberId: string; pauseMinutes: number },
): Promise<boolean> {
  const claimed = await kysely
    .insertInto('status_mail')
    .values({ member_id: memberId, sent_at: sql<Date>`clock_timestamp()` })
    .onConflict((conflict) =>
      conflict
        .column('member_id')
        .doUpdateSet({ sent_at: sql<Date>`excluded.sent_at` })
        .where('status_mail.sent_at', '<', sql<Date>`excluded.sent_at - make_interval(mins => ${pauseMinutes})`),
    )
    .returning('member_id')
    .executeTakeFirst();
  return claimed !== undefined;
}
