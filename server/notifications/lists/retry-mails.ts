import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { conflict } from '../../problem.ts';
import type { Mail } from '../open-mail.ts';
import { retryUndelivered } from './store.ts';

/** Mails that never arrived, once more. There is no undo: a mail cannot be called back. */
export function openRetryMails(mail: Pick<Mail, 'wake'>): Operation<'retry-mails'> {
  return {
    lock: null,
    isMailing: true,
    async apply(transaction) {
      const mails = await retryUndelivered(transaction);
      if (mails === 0) throw conflict('Every mail of the last 30 days arrived or still waits.');
      return {
        sentences: [
          `${countOf(mails, 'mail')} of the last 30 days that never arrived ` +
            `${mails === 1 ? 'is' : 'are'} sent again.`,
          'One that is no longer true, or whose address gets no mail, is left out.',
        ],
        counts: { mails },
        summary:
          countOf(mails, 'mail that never arrived was', 'mails that never arrived were') +
          ' sent again.',
        subject: null,
        details: { mails },
        afterCommit: async () => mail.wake(),
      };
    },
  };
}
