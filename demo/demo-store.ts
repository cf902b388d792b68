import { sql } from 'kysely';
import type { Database } from '../server/db/database.ts';
import { inTransaction } from '../server/db/transaction.ts';
import { decideCredits, planDecision } from '../server/line/credits/credit-store.ts';

export async function confirmAll({ kysely }: Database, ids: readonly string[]): Promise<void> {
  await sql`select confirm_member(id) from unnest(${ids}::uuid[]) id`.execute(kysely);
}

export async function decideAll(
  database: Database,
  ids: readonly string[],
  decision: { readonly state: 'refused' } | { readonly state: 'held'; readonly rule: string },
): Promise<void> {
  const { state } = decision;
  const wanted = { friendIds: ids, state, needsConfirmation: false, alsoDecided: true };
  const plan = await planDecision(database.kysely, wanted);
  await inTransaction(database, (transaction) => decideCredits(transaction, plan));
  if (decision.state !== 'held') return;
  await sql`
    update credit_case
    set rules = ${[decision.rule]}, score = 100, decided_at = null, decided_by = null
    where member_id = any(${ids}::uuid[])`.execute(database.kysely);
}
