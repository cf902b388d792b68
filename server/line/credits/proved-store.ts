import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import { all, run } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';

export type Proved = {
  readonly id: string;
  readonly identity: string;
  /** Null: not worked out. */
  readonly mailbox: string | null;
  /** Friends with one name share a limit; null at a provider of mailboxes. */
  readonly name: string | null;
};

export type Proving = 'unproved' | 'all' | { readonly memberId: string };

/** Members who have confirmed, by id. */
export function readConfirmed(
  { kysely }: Reader,
  which: Proving,
  { behind, limit }: { behind: string | undefined; limit: number },
) {
  return all<Proved>(kysely)`
    select id, email_identity as identity, proved_mailbox as mailbox, proved_name as name
    from member
    where confirmed_at is not null and ${wanted(which)}
      ${behind === undefined ? sql`` : sql`and id > ${behind}::uuid`}
    order by id limit ${limit}::integer
  `;
}

function wanted(which: Proving): RawBuilder<unknown> {
  if (which === 'all') return sql`true`;
  return which === 'unproved' ? sql`proved_mailbox is null` : sql`id = ${which.memberId}::uuid`;
}

/** Leaves out members whose address was corrected meanwhile. The caller holds the line lock. */
export function writeProved(transaction: Transaction, proved: readonly Proved[]) {
  return run(transaction)`
    update member set proved_mailbox = proved.mailbox, proved_name = proved.name
    from json_to_recordset(${JSON.stringify(proved)}) as proved (
      id uuid, identity text, mailbox text, name text)
    where member.id = proved.id and email_identity = proved.identity
      and confirmed_at is not null
  `;
}
