import { drawOrder } from '../../../contract/drop/draw-order-rules.ts';
import type { Announcement } from '../../../contract/drop/draw-record.ts';
import { randomnessFrom } from '../../../contract/drop/randomness-rules.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { Problem } from '../../problem.ts';
import { markDone } from '../schedule/schedule-store.ts';
import { readList } from './draw-record.ts';
import { announcementOf, changeOf, lockDropIn } from './drop-state.ts';
import { type DropRow, updateDrop, writeOrder } from './drop-store.ts';

export const selectEntrantsOperation: Operation<'select-entrants'> = {
  kind: 'select-entrants',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { signature }) {
    const drop = await lockDropIn(transaction, 'frozen');
    const { number } = drop;
    const announcement = announcementOf(drop);
    if (announcement === null)
      throw new Problem('conflict', `The draw of drop ${number} is not announced yet.`);
    const { evidence, randomness } = readEvidence(drop, announcement, signature);
    const { entrants } = await readList({ kysely: transaction }, drop);
    const order = drawOrder(entrants, announcement, randomness);
    await writeOrder(transaction, number, order);
    await updateDrop(transaction, number, {
      state: 'selected',
      selected_at: new Date(),
      evidence,
    });
    await markDone(transaction, number, 'select-entrants');
    const chosen = order.filter(({ size }) => size !== null).length;
    return changeOf(number, {
      sentences: [
        `${countOf(chosen, 'entrant is', 'entrants are')} chosen of ` +
          `${order.length.toLocaleString('en-US')}; the others follow in the draw order.`,
        'The order, the sizes and the randomness are public at once.',
      ],
      counts: { entrants: order.length, chosen },
      summary: `${countOf(chosen, 'entrant was', 'entrants were')} chosen for drop ${number}.`,
      details: { chosen, evidence },
    });
  },
};

/**
 * The `signature` of the announced round, in hexadecimal, or the stored seed, and the randomness
 * from it; null without randomness. Throws Problem invalid_field.
 */
function readEvidence(
  { evidence: seed }: Pick<DropRow, 'evidence'>,
  { randomness: announced }: Announcement,
  signature = '',
): { evidence: string | null; randomness: string | null } {
  if (announced.source === 'none') return { evidence: null, randomness: null };
  const evidence = announced.source === 'seed' ? (seed ?? '') : signature.trim().toLowerCase();
  const randomness = randomnessFrom(announced, evidence);
  if (randomness === null)
    throw new Problem(
      'invalid_field',
      announced.source === 'seed'
        ? 'The seed is not the one that was announced: the database was changed.'
        : `This is not the signature of round ${announced.round} of quicknet.`,
    );
  return { evidence, randomness };
}
