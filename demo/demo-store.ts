/** The product's own functions for what no call of its API does, for many members at once. */
import { sql } from 'kysely';
import type { Database } from '../server/db/database.ts';

export async function confirmAll({ kysely }: Database, ids: readonly string[]): Promise<void> {
  await sql`select confirm_member(id) from unnest(${ids}::uuid[]) id`.execute(kysely);
}

export async function decideAll(
  { kysely }: Database,
  ids: readonly string[],
  decision: { readonly state: 'refused' } | { readonly state: 'held'; readonly rule: string },
): Promise<void> {
  const rules = decision.state === 'held' ? [decision.rule] : [];
  const decider = decision.state === 'held' ? 'sweep' : 'operator';
  const signals = ids.map((id) => ({ friend_id: id, rules, score: 100 }));
  await sql`
    select from decide_credits(
      ${ids}::uuid[], ${decision.state}, ${decider}, false, true,
      ${JSON.stringify(signals)}::jsonb)
  `.execute(kysely);
}
