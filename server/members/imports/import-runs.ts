/** Imports that were decided, and their undoing: taken to the end piece by piece. */

import { recordAudit } from '../../changes/audit/record-audit.ts';
import { UNDO_FOR_MS } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { inTransaction } from '../../db/transaction.ts';
import { count } from './count-rules.ts';
import { deleteContents, updateImport } from './import-store.ts';
import type { ImportRun } from './run/piece-rules.ts';
import { listUnfinishedImports, takePiece } from './run/take-piece.ts';

const ACTOR = { kind: 'system', id: null, name: 'import' } as const;

export type ImportRuns = {
  /**
   * Goes on with an import until it is done, and says what came of it. After `close` another server
   * does, or this one after its next start.
   */
  finish(importId: string): Promise<string>;
  /** Stops after the pieces that are under way. */
  close(): void;
};

export function openImportRuns(database: Database): ImportRuns {
  let isClosed = false;
  return {
    finish: (importId) => finishImport(database, importId, () => isClosed),
    close() {
      isClosed = true;
    },
  };
}

/**
 * Goes on with imports whose server has stopped, for `maxMs` at most, and forgets those that can no
 * longer be undone. Servers may run it at the same time.
 */
export async function continueImports(
  database: Database,
  { maxMs }: { maxMs: number },
): Promise<void> {
  const until = performance.now() + maxMs;
  const forget = new Date(Date.now() - UNDO_FOR_MS);
  for (const id of await listUnfinishedImports(database, { forget }))
    await finishImport(database, id, () => performance.now() > until);
}

async function finishImport(
  database: Database,
  importId: string,
  isOver: () => boolean,
): Promise<string> {
  for (;;) {
    const run = await inTransaction(database, async (transaction) => {
      const piece = await takePiece(transaction, importId);
      if (!piece?.isLast) return piece;
      await updateImport({ kysely: transaction }, importId, { state: 'imported' });
      const summary = describe(piece);
      const { import_id, options, ...details } = piece;
      await recordAudit(transaction, {
        actor: ACTOR,
        action: piece.goal === 'join' ? 'import-ended' : 'import-undone',
        subject: null,
        reason: null,
        details: { summary, import: import_id, ...details },
      });
      return piece;
    });
    if (run === null) return 'This import is not known any more.';
    if (run.is_done) {
      await deleteContents(database, importId);
      return describe(run);
    }
    if (isOver()) return 'It is not done yet, and goes on by itself.';
    await letOthersIn();
  }
}

function describe({ goal, options, moved, left_out }: ImportRun): string {
  if (goal === 'join') {
    const leftOut = options.rows - moved;
    return (
      `${count(moved, 'member')} joined from ${options.file}, ` +
      `${count(leftOut, 'row')} of it ${leftOut === 1 ? 'was' : 'were'} left out.`
    );
  }
  const stay =
    left_out === 0
      ? ''
      : ` ${count(left_out, 'member')} stayed: friends have joined by them since.`;
  return `${count(moved, 'imported member')} left the line again.${stay}`;
}
