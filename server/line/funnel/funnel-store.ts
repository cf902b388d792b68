import type { Database } from '../../db/database.ts';
import { run, value } from '../../db/rows.ts';
import { type Source, sourceKey } from '../sources/source-rules.ts';

export type CountedPage = 'landing' | 'invite';
export type CountedVisits = Source & { readonly page: CountedPage; readonly visits: number };
export type CountedEvents = { readonly event: string; readonly events: number };

export async function addCounts(
  { kysely }: Database,
  { visits, events }: { visits: readonly CountedVisits[]; events: readonly CountedEvents[] },
): Promise<void> {
  const keyed = visits.map((visit) => ({ ...visit, key: sourceKey(visit) }));
  await run(kysely)`select add_counts(${JSON.stringify(keyed)}, ${JSON.stringify(events)})`;
}

export function countOpenings({ kysely }: Database, codes: readonly string[]) {
  return value<boolean>(kysely)`
    select count_openings(${[...codes]}::text[]) as is_counted
  `;
}

export function countNextJoins({ kysely }: Database, maxMembers: number) {
  return value<number>(kysely)`
    select count_joins(${maxMembers}::integer) as counted
  `;
}
