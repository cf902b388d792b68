/** Works out which mailboxes members have confirmed: SQL knows neither spellings nor suffixes. */
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { inTransaction, lock } from '../../db/transaction.ts';
import { mailboxOf } from '../../mail/email-rules.ts';
import { isMailProvider, registrableName } from '../../mail/mail-provider-rules.ts';
import { type Confirmed, type Proved, readUnproved, writeProved } from './proved-store.ts';

/** The line is locked for less than a tenth of a second. */
const PROVED_AT_ONCE = 500;

/** For one member, or all who have confirmed since, were imported, or had an address corrected. */
export async function proveMailboxes(database: Database, memberId?: string): Promise<void> {
  for (;;) {
    const confirmed = await readUnproved(database, { memberId, limit: PROVED_AT_ONCE });
    if (confirmed.length > 0)
      await inTransaction(database, async (transaction) => {
        await lock(transaction, 'line');
        await writeProved(transaction, confirmed.map(proofOf));
      });
    if (confirmed.length < PROVED_AT_ONCE) return;
    await letOthersIn();
  }
}

function proofOf({ id, identity }: Confirmed): Proved {
  const name = registrableName(identity.slice(identity.lastIndexOf('@') + 1));
  return { id, identity, mailbox: mailboxOf(identity), name: isMailProvider(name) ? null : name };
}
