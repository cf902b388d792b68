import { STEP_WORDS } from '../../../contract/drop/step-words.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Reader } from '../../db/database.ts';
import { forgetCopy, markCopy, type PossibleCopy, readCopy } from '../../db/possible-copy.ts';
import { conflict } from '../../problem.ts';
import { getDrop, readNow } from '../drop-store.ts';
import { describeTime } from '../schedule/schedule-rules.ts';
import { readSteps } from '../schedule/schedule-store.ts';
import { listKeyless } from '../till/account-store.ts';
import { countWaiting, type Waiting } from '../till/payment-store.ts';

const WORDS: Readonly<Record<keyof Waiting, readonly [one: string, several: string]>> = {
  mails: ['mail leaves.', 'mails leave.'],
  deliveries: ['event goes to webhooks.', 'events go to webhooks.'],
  offers: [
    'open offer gets back the time since the pause.',
    'open offers get back the time since the pause.',
  ],
  checkouts: [
    'checkout is made, compared or ended at the till.',
    'checkouts are made, compared or ended at the till.',
  ],
  refunds: ['payment is given back.', 'payments are given back.'],
  tills_without_keys: ['till has no keys.', 'tills have no keys.'],
};

export const thisIsTheLineOperation: Operation<'this-is-the-line'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction) {
    const reader = { kysely: transaction };
    const copy = await readCopy(reader);
    if (copy === null) throw conflict('This is the line already: nothing waits for you to say so.');
    const counts = await countWaiting(transaction);
    const due = await listDueSteps(reader);
    await forgetCopy(reader);
    return {
      sentences: [
        'Stop every other server of this line before: both would send the same mail and sell ' +
          'the same masks. At once:',
        ...Object.entries(counts).flatMap(([what, count]) =>
          count === 0 ? [] : [countOf(count, ...WORDS[what as keyof Waiting])],
        ),
        ...(await listKeyless(reader)),
        ...due,
      ],
      counts,
      summary: 'This is the line: what waited goes on.',
      subject: null,
      details: { ...copy, ...counts },
      undo: { cause: copy.cause },
    };
  },
  async undo(transaction, { cause }: Pick<PossibleCopy, 'cause'>) {
    await markCopy({ kysely: transaction }, cause);
    return { summary: 'This line may be a copy: nothing leaves it any more.' };
  },
};

async function listDueSteps(reader: Reader): Promise<string[]> {
  const now = await readNow(reader);
  const steps = await readSteps(reader, (await getDrop(reader)).number);
  return steps
    .filter(({ state, due_at }) => state === 'scheduled' && due_at <= now)
    .map(({ step, due_at, time_zone }) => {
      return `${STEP_WORDS[step]}, which was due on ${describeTime(due_at, time_zone)}.`;
    });
}
