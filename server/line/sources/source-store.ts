import { sql } from 'kysely';
import { SOURCE_FIELDS } from '../../../contract/sources.ts';
import type { Database } from '../../db/database.ts';
import { first, run } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';
import { type Source, sourceKey } from './source-rules.ts';

export const sourceColumns = sql.join(SOURCE_FIELDS.map((field) => sql.ref(`source.${field}`)));

export function getSource({ kysely }: Database, memberId: string) {
  return first<Source>(kysely)`
    select ${sourceColumns}
    from member join source on source.id = coalesce(source_id, 0) where member.id = ${memberId}
  `;
}

/** Returns its id, or null when nothing changes. The caller holds the line lock. */
export async function writePin(
  transaction: Transaction,
  source: Source,
  isPinned: boolean,
): Promise<number | null> {
  const key = sourceKey(source);
  const fields = SOURCE_FIELDS.map((field) => sql.ref(field));
  const values = SOURCE_FIELDS.map((field) => source[field]);
  const spellings = fields.map((field) => sql`${field} = excluded.${field}`);
  await run(transaction)`lock table source in share row exclusive mode`;
  const { rows } = await (isPinned
    ? sql<{ id: number }>`
        insert into source as kept (is_pinned, id, key, ${sql.join(fields)})
        select true, max(id) + 1, ${key}, ${sql.join(values)} from source
        on conflict (key) do update set is_pinned = true, ${sql.join(spellings)}
        where not kept.is_pinned
        returning id`
    : sql<{ id: number }>`
        update source set is_pinned = false where key = ${key} and is_pinned returning id`
  ).execute(transaction);
  return rows[0]?.id ?? null;
}
