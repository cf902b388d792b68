/** SQL of who scheduled the steps of a drop, which the audit log knows. */
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Database } from '../../db/database.ts';

export type Scheduling = {
  readonly change: number;
  readonly step: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly revision: number;
  readonly actor: Actor;
  readonly reason: string;
};

/** Newest first. */
export async function readSchedulings(
  { kysely }: Pick<Database, 'kysely'>,
  drop: number,
): Promise<Scheduling[]> {
  const { rows } = await sql<Scheduling>`
    select sequence as change, details->>'step' as step, details->>'at' as at,
      (details->>'revision')::integer as revision, reason,
      json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as actor
    from audit_entry
    where subject_kind = 'drop' and subject_id = ${String(drop)} and action = 'schedule-step'
    order by sequence desc
  `.execute(kysely);
  return rows;
}
