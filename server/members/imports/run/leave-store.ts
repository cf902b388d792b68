import { sql } from 'kysely';
import type { Transaction } from '../../../db/transaction.ts';

export type ImportedMember = {
  readonly id: string;
  readonly sequence: number;
  /** Somebody has joined by them who is not of the import. */
  readonly has_friends: boolean;
};

/** The next members of an import in the order of joining, by sequences that nobody else has. */
export async function readImported(
  transaction: Transaction,
  { importId, after, limit }: { importId: string; after: number; limit: number },
): Promise<ImportedMember[]> {
  const ofImport = sql`from import_piece where import_id = ${importId}::uuid`;
  const { rows } = await sql<ImportedMember>`
    select id, sequence, exists (
      select from member friend where friend.referrer_id = one.id and not exists (
        select ${ofImport} and friend.sequence between first_sequence and last_sequence offset 0)
      offset 0
    ) as has_friends
    from member one
    where sequence > ${after}::bigint
      and sequence between (select min(first_sequence) ${ofImport})
        and (select max(last_sequence) ${ofImport})
      and exists (
        select ${ofImport} and one.sequence between first_sequence and last_sequence offset 0)
    order by sequence limit ${limit}::integer
  `.execute(transaction);
  return rows;
}
