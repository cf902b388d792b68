import { UNDO_FOR_MS } from '../../changes/operation.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Platform } from '../../module.ts';
import { describeRun, leavePiece } from './import-runs.ts';
import { listWalks } from './import-store.ts';
import { listUndos } from './run-store.ts';
import type { Walks } from './walk-import.ts';

/** Answers when the import or its undo is done, by this server or another one. */
export async function finishImport(
  { database, isStopping }: Pick<Platform, 'database' | 'isStopping'>,
  walks: Pick<Walks, 'run'>,
  importId: string,
): Promise<string> {
  for (;;) {
    await walks.run(importId);
    const run = await inTransaction(database, (transaction) => leavePiece(transaction, importId));
    if (run.is_done) return describeRun(run);
    if (isStopping()) return 'It is not done yet, and goes on by itself.';
    await letOthersIn();
  }
}

/** Goes on with what a server has left when it stopped. Servers may run it at the same time. */
export async function continueImports(
  platform: Pick<Platform, 'database' | 'isStopping'>,
  walks: Pick<Walks, 'run'>,
): Promise<void> {
  const { database } = platform;
  for (const id of await listWalks(database)) await walks.run(id);
  for (const id of await listUndos(database, new Date(Date.now() - UNDO_FOR_MS)))
    await finishImport(platform, walks, id);
}
