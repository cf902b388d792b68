import type { Database } from '../../server/db/database.ts';
import { proveMailboxes } from '../../server/line/credits/prove-mailboxes.ts';

/** Only members who have confirmed are frozen. */
export async function confirmEverybody(database: Database): Promise<void> {
  await database.runSql(`
    select confirm_member(id) from (
      select id from member where confirmed_at is null order by sequence
    ) unconfirmed`);
  await proveMailboxes(database);
}
