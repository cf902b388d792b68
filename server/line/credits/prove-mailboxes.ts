/** Works out which mailboxes members have confirmed: SQL knows neither spellings nor suffixes. */
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { inTransaction, lock } from '../../db/transaction.ts';
import { mailboxOf } from '../../mail/email-rules.ts';
import { isMailProvider, registrableName } from '../../mail/mail-provider-rules.ts';
import { type Confirmed, type Proved, readUnproved, writeProved } from './proved-store.ts';

/** The line is locked for less than a tenth of a second. */
const PROVED_AT_ONCE = 500;

/** For those who have confirmed since, were imported, or whose address was corrected. */
export async function proveMailboxes(database: Database): Promise<void> {
  for (;;) {
    const confirmed = await readUnproved(database, PROVED_AT_ONCE);
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
