import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { first, run } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';
import { type Source, sourceKey } from './source-rules.ts';

export function getSource({ kysely }: Database, memberId: string) {
  return first<Source>(kysely)`
    select utm_source, utm_medium, utm_campaign, referring_host, via
    from member join source on source.id = coalesce(source_id, 0) where member.id = ${memberId}
  `;
}

/** Returns its id, or null when nothing changes. The caller holds the line lock. */
export async function writePin(
  transaction: Transaction,
  source: Source,
  isPinned: boolean,
): Promise<number | null> {
  const { utm_source, utm_medium, utm_campaign, referring_host, via } = source;
  const key = sourceKey(source);
  await run(transaction)`lock table source in share row exclusive mode`;
  const { rows } = await (isPinned
    ? sql<{ id: number }>`
        insert into source as kept (
          is_pinned, id, key, utm_source, utm_medium, utm_campaign, referring_host, via)
        select true, max(id) + 1, ${key}, ${utm_source}, ${utm_medium}, ${utm_campaign},
          ${referring_host}, ${via}
        from source
        on conflict (key) do update set is_pinned = true, utm_source = excluded.utm_source,
          utm_medium = excluded.utm_medium, utm_campaign = excluded.utm_campaign,
          via = excluded.via
        where not kept.is_pinned
        returning id`
    : sql<{ id: number }>`
        update source set is_pinned = false where key = ${key} and is_pinned returning id`
  ).execute(transaction);
  return rows[0]?.id ?? null;
}
