import type { Verb } from '../../changes/change.ts';
import {
  type Pause,
  pauseJoining,
  reopenJoining,
  restorePause,
} from '../../line/join/pause-joining.ts';
import { Problem } from '../../problem.ts';

/** JSON has no dates. */
type KeptPause = { readonly message: string; readonly since: string } | null;
type Undo = { readonly before: KeptPause; readonly message: string | null };

/** Nobody joins, and everybody is told why. */
export const pauseJoiningVerb: Verb<'pause-joining'> = {
  kind: 'pause-joining',
  lock: 'line',
  async apply(transaction, { message }) {
    const before = await pauseJoining(transaction, { message });
    const undo: Undo = { before: keep(before), message };
    return {
      effects: {
        sentences: [
          before === null
            ? 'Nobody can join any more.'
            : `Joining stays paused, with another message than: ${before.message}`,
          `The site and the API answer: ${message}`,
          'Status pages, invite links and mails work on.',
        ],
        counts: {},
      },
      summary:
        before === null ? 'Joining was paused.' : 'Joining stayed paused, with another message.',
      subject: SUBJECT,
      details: {},
      undo,
    };
  },
  async undo(transaction, { before, message }: Undo) {
    const now = await restorePause(transaction, read(before));
    if (now?.message !== message)
      throw new Problem('conflict', 'Joining was paused or reopened again since.');
    return { summary: before === null ? 'Joining was reopened.' : 'The message before is back.' };
  },
};

export const reopenJoiningVerb: Verb<'reopen-joining'> = {
  kind: 'reopen-joining',
  lock: 'line',
  async apply(transaction) {
    const before = await reopenJoining(transaction);
    const undo: Undo = { before: keep(before), message: null };
    return {
      effects: { sentences: ['Everybody can join again.'], counts: {} },
      summary: 'Joining was reopened.',
      subject: SUBJECT,
      details: {},
      undo,
    };
  },
  async undo(transaction, { before }: Undo) {
    if ((await restorePause(transaction, read(before))) !== null)
      throw new Problem('conflict', 'Joining was paused again since.');
    return { summary: 'Joining was paused again.' };
  },
};

const SUBJECT = { kind: 'line', id: 'joining' } as const;

function keep(pause: Pause | null): KeptPause {
  return pause && { message: pause.message, since: pause.since.toISOString() };
}

function read(kept: KeptPause): Pause | null {
  return kept && { message: kept.message, since: new Date(kept.since) };
}
