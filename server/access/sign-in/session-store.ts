import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { OperatorRecord } from '../people/operator-store.ts';

type Kysely = Database['kysely'];

export type Session = {
  readonly id: string;
  readonly operator: OperatorRecord;
  readonly endsAt: Date;
};

export type ListedSession = {
  readonly id: string;
  readonly device: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
};

const IDLE = sql`interval '30 minutes'`;
const LONGEST = sql`interval '12 hours'`;
/** So that a page that asks every second does not write every second. */
const TOUCH_AFTER = sql`interval '1 minute'`;
const IS_OPEN = sql<boolean>`
  operator_session.last_used_at > clock_timestamp() - ${IDLE}
  and operator_session.created_at > clock_timestamp() - ${LONGEST}`;

export async function insertSession(
  kysely: Kysely,
  session: { readonly secretHash: string; readonly operatorId: string; readonly device: string },
): Promise<void> {
  const { secretHash, operatorId, device } = session;
  await kysely
    .insertInto('operator_session')
    .values({ secret_hash: secretHash, operator_id: operatorId, device })
    .execute();
}

/**
 * An open session with its operator as they are now. Notes the use unless nobody is there, so that
 * a page that polls does not keep its session open. Null: none, or it ended.
 */
export async function findSession(
  kysely: Kysely,
  { secretHash, isUnattended }: { readonly secretHash: string; readonly isUnattended: boolean },
): Promise<Session | null> {
  const { rows } = await sql<OperatorRecord & { session: string; endsAt: Date; isDue: boolean }>`
    select operator_session.id as session, operator.id, email, name, role,
      operator_session.created_at + ${LONGEST} as "endsAt",
      operator_session.last_used_at < clock_timestamp() - ${TOUCH_AFTER} as "isDue"
    from operator_session join operator on operator.id = operator_session.operator_id
    where secret_hash = ${secretHash} and ${IS_OPEN}`.execute(kysely);
  const [row] = rows;
  if (row === undefined) return null;
  const { session: id, endsAt, isDue, ...operator } = row;
  if (isDue && !isUnattended)
    await kysely
      .updateTable('operator_session')
      .set({ last_used_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', id)
      .execute();
  return { id, operator, endsAt };
}

/** Open ones, last used first. */
export async function readSessions(kysely: Kysely, operatorId: string): Promise<ListedSession[]> {
  return await kysely
    .selectFrom('operator_session')
    .select(['id', 'device', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('operator_id', '=', operatorId)
    .where(IS_OPEN)
    .orderBy('last_used_at', 'desc')
    .execute();
}

/** Whether there was such a session of this operator. */
export async function deleteSession(
  kysely: Kysely,
  { id, operatorId }: { readonly id: string; readonly operatorId: string },
): Promise<boolean> {
  const { numDeletedRows } = await kysely
    .deleteFrom('operator_session')
    .where('id', '=', id)
    .where('operator_id', '=', operatorId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteSessionsOf(kysely: Kysely, operatorId: string): Promise<void> {
  await kysely.deleteFrom('operator_session').where('operator_id', '=', operatorId).execute();
}

export async function deleteSessionBySecret(kysely: Kysely, secretHash: string): Promise<void> {
  await kysely.deleteFrom('operator_session').where('secret_hash', '=', secretHash).execute();
}

export async function deleteEndedSessions({ kysely }: Pick<Database, 'kysely'>): Promise<void> {
  await kysely.deleteFrom('operator_session').where(sql<boolean>`not (${IS_OPEN})`).execute();
}
