import { sql } from 'kysely';
import type { Reader } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';

export type Confirmed = { readonly id: string; readonly identity: string };

/** `name`: registrable; null at a provider of mailboxes. */
export type Proved = Confirmed & { readonly mailbox: string; readonly name: string | null };

export async function readUnproved(
  { kysely }: Reader,
  { memberId, limit }: { memberId: string | undefined; limit: number },
): Promise<readonly Confirmed[]> {
  const { rows } = await sql<Confirmed>`
    select id, email_identity as identity from member
    where confirmed_at is not null and proved_mailbox is null
      ${memberId === undefined ? sql`` : sql`and id = ${memberId}::uuid`}
    order by id limit ${limit}::integer
  `.execute(kysely);
  return rows;
}

/** Leaves out members whose address was corrected meanwhile. The caller holds the line lock. */
export async function writeProved(
  transaction: Transaction,
  proved: readonly Proved[],
): Promise<void> {
  await sql`
    update member set proved_mailbox = proved.mailbox, proved_name = proved.name
    from json_to_recordset(${JSON.stringify(proved)}) as proved (
      id uuid, identity text, mailbox text, name text)
    where member.id = proved.id and email_identity = proved.identity
      and confirmed_at is not null
  `.execute(transaction);
}
