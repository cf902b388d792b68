/** Works out which mailboxes members have confirmed: SQL knows neither spellings nor suffixes. */
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { inTransaction, lock } from '../../db/transaction.ts';
import { isMailProvider, registrableName } from '../../mail/mail-provider-rules.ts';
import { isAlias, mailboxOf } from '../../mail/mailbox-rules.ts';
import { type Proved, type Proving, readConfirmed, writeProved } from './proved-store.ts';

/** The line is locked for less than a tenth of a second. */
const PROVED_AT_ONCE = 500;

/** One name for all services that give one person many addresses: their friends share a limit. */
const ALIASES = '*';

/**
 * For one member, or those who have confirmed since, were imported, or had an address corrected, or
 * all: the rules of an earlier program may have been others.
 */
export async function proveMailboxes(
  database: Database,
  which: Proving = 'unproved',
): Promise<void> {
  for (let behind: string | undefined; ; ) {
    const page = await readConfirmed(database, which, { behind, limit: PROVED_AT_ONCE });
    const changed = page.flatMap((stored) => {
      const proof = proofOf(stored);
      return proof.mailbox === stored.mailbox && proof.name === stored.name ? [] : [proof];
    });
    if (changed.length > 0)
      await inTransaction(database, async (transaction) => {
        await lock(transaction, 'line');
        await writeProved(transaction, changed);
      });
    if (page.length < PROVED_AT_ONCE) return;
    behind = page.at(-1)?.id;
    await letOthersIn();
  }
}

function proofOf({ id, identity }: Pick<Proved, 'id' | 'identity'>) {
  return { id, identity, mailbox: mailboxOf(identity), name: limitedName(identity) };
}

function limitedName(identity: string): string | null {
  if (isAlias(identity)) return ALIASES;
  const name = registrableName(identity.slice(identity.lastIndexOf('@') + 1));
  return isMailProvider(name) ? null : name;
}
