/** Imports that were decided, and how far they are. */
import type { Database } from '../../../db/database.ts';
import type { Transaction } from '../../../db/transaction.ts';
import type { ImportOptions, ImportRun, Sequences } from './piece-rules.ts';

export async function insertRun(
  transaction: Transaction,
  importId: string,
  options: ImportOptions,
): Promise<void> {
  await transaction
    .insertInto('import_run')
    .values({ import_id: importId, goal: 'join', options: JSON.stringify(options) })
    .execute();
}

/** Locks the run until the transaction ends. Taken before the lock of the line. */
export async function lockRun(
  transaction: Transaction,
  importId: string,
): Promise<ImportRun | null> {
  const row = await transaction
    .selectFrom('import_run')
    .select(['import_id', 'goal', 'is_done', 'options', 'done_to', 'moved', 'left_out'])
    .where('import_id', '=', importId)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : { ...row, options: row.options as ImportOptions };
}

export async function updateRun(
  transaction: Transaction,
  { import_id, ...run }: Omit<ImportRun, 'options'>,
): Promise<void> {
  await transaction.updateTable('import_run').set(run).where('import_id', '=', import_id).execute();
}

export async function listUnfinishedRuns({ kysely }: Database): Promise<string[]> {
  const rows = await kysely
    .selectFrom('import_run')
    .select('import_id')
    .where('is_done', '=', false)
    .orderBy('decided_at')
    .execute();
  return rows.map(({ import_id }) => import_id);
}

export async function deleteRunsBefore({ kysely }: Database, moment: Date): Promise<void> {
  await kysely
    .deleteFrom('import_run')
    .where('is_done', '=', true)
    .where('decided_at', '<', moment)
    .execute();
}

export async function insertPiece(
  transaction: Transaction,
  importId: string,
  { first, last }: Sequences,
): Promise<void> {
  await transaction
    .insertInto('import_piece')
    .values({ import_id: importId, first_sequence: first, last_sequence: last })
    .execute();
}
