import type { Announcement } from '../../../contract/drop/draw-record.ts';
import { timeOfRound } from '../../../contract/drop/randomness-rules.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { announceDraw } from './announce-draw.ts';
import { dropSubject } from './drop-state.ts';
import { selectEntrants } from './select-entrants.ts';

/** Rule, masks and source of randomness are fixed and public. */
export const announceDrawOperation: Operation<'announce-draw'> = {
  kind: 'announce-draw',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, wanted) {
    const { announcement, hash } = await announceDraw(transaction, wanted);
    const { number, list_hash } = announcement;
    return {
      effects: { sentences: describe(announcement), counts: countsOf(announcement) },
      summary: `The draw of drop ${number} was announced, with the hash ${hash}.`,
      subject: dropSubject(number),
      details: { list_hash, announcement_hash: hash, randomness: announcement.randomness },
      undo: null,
    };
  },
};

/** The draw is made, as announced. */
export const selectEntrantsOperation: Operation<'select-entrants'> = {
  kind: 'select-entrants',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { signature }) {
    const { number, order, evidence } = await selectEntrants(transaction, signature);
    const chosen = order.filter(({ size }) => size !== null).length;
    return {
      effects: {
        sentences: [
          `${countOf(chosen, 'entrant is', 'entrants are')} chosen of ` +
            `${order.length.toLocaleString('en-US')}; the others follow in the draw order.`,
          'The order, the sizes and the randomness are public at once.',
        ],
        counts: { entrants: order.length, chosen },
      },
      summary: `${countOf(chosen, 'entrant was', 'entrants were')} chosen for drop ${number}.`,
      subject: dropSubject(number),
      details: { chosen, evidence },
      undo: null,
    };
  },
};

function countsOf({ masks, by_rank, drawn_among }: Announcement) {
  const total = masks.reduce((sum, size) => sum + size.masks, 0);
  return { masks: total, by_rank, drawn_among };
}

function describe({ masks, by_rank, drawn_among, randomness }: Announcement): string[] {
  const { masks: total } = countsOf({ masks, by_rank, drawn_among } as Announcement);
  const sizes = masks.map((size) => `${size.masks} ${size.size}`).join(', ');
  return [
    `${countOf(total, 'mask is', 'masks are')} given: ${sizes}.`,
    by_rank === total
      ? 'All of them go by rank.'
      : `${by_rank} of them go by rank, ${total - by_rank} are drawn among the first ` +
        `${countOf(drawn_among, 'entrant')}.`,
    ...describeRandomness(randomness),
    'This is public at once, and nobody can change it.',
  ];
}

function describeRandomness(randomness: Announcement['randomness']): string[] {
  if (randomness.source === 'none') return [];
  if (randomness.source === 'seed')
    return ['A seed on this server decides; its hash is public, the seed after the draw.'];
  const at = new Date(timeOfRound(randomness.round)).toISOString();
  return [`Round ${randomness.round} of quicknet decides, which is public at ${at}.`];
}
