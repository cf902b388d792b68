import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Source } from './source-rules.ts';

export async function getSource({ kysely }: Database, memberId: string): Promise<Source | null> {
  const { rows } = await sql<Source>`
    select utm_source, utm_medium, utm_campaign, referring_host, via
    from member join source on source.id = coalesce(source_id, 0) where member.id = ${memberId}
  `.execute(kysely);
  return rows[0] ?? null;
}
