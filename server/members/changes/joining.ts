import { addCall } from '../../access/add-call.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import type { HttpServer } from '../../http/http-server.ts';
import { type Pause, readPause, writePause } from '../../line/changes/change-store.ts';
import { pauseJoining, reopenJoining } from '../../line/join/pause-joining.ts';
import { conflict } from '../../problem.ts';

type Undo = { readonly before: Pause | null; readonly message: string | null };

const SUBJECT = { kind: 'line', id: 'joining' } as const;

export const pauseJoiningOperation: Operation<'pause-joining'> = {
  lock: 'line',
  async apply(transaction, { message }) {
    const before = await pauseJoining(transaction, { message });
    const undo: Undo = { before: before, message };
    return {
      sentences: [
        before === null
          ? 'Nobody can join any more.'
          : `Joining stays paused, with another message than: ${before.message}`,
        `The site and the API answer: ${message}`,
        'Status pages, invite links and mails work on.',
      ],
      summary:
        before === null ? 'Joining was paused.' : 'Joining stayed paused, with another message.',
      subject: SUBJECT,
      undo,
    };
  },
  undo,
};

export const reopenJoiningOperation: Operation<'reopen-joining'> = {
  lock: 'line',
  async apply(transaction) {
    const before = await reopenJoining(transaction);
    const undo: Undo = { before: before, message: null };
    return {
      sentences: ['Everybody can join again.'],
      summary: 'Joining was reopened.',
      subject: SUBJECT,
      undo,
    };
  },
  undo,
};

async function undo(transaction: Transaction, { before, message }: Undo) {
  const now = await writePause(transaction, before);
  if ((now?.message ?? null) !== message)
    throw conflict('Joining was paused or reopened again since.');
  if (before === null) return { summary: 'Joining was reopened.' };
  return {
    summary: message === null ? 'Joining was paused again.' : 'The message before is back.',
  };
}

export function addJoiningRoute(server: HttpServer, database: Database): void {
  addCall(server, 'GET joining', async () => ({ paused: await readPause(database.kysely) }));
}
