import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { startOffers } from './make-offers.ts';

/** Members are offered masks from now on. */
export const startOffersOperation: Operation<'start-offers'> = {
  kind: 'start-offers',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { minutes, time_zone, quiet_from = null, quiet_until = null }) {
    const { number, available } = await startOffers(transaction, {
      minutes,
      timeZone: time_zone,
      quietFrom: quiet_from,
      quietUntil: quiet_until,
    });
    return {
      effects: {
        sentences: [
          `${countOf(available, 'mask is', 'masks are')} offered in the draw order, within a ` +
            'minute. Allocate masks first that are to be kept.',
          `Each offer stands for ${describeMinutes(minutes)}; masks that come back go to the next.`,
          quiet_from === null
            ? 'There are no quiet hours.'
            : `Nobody is offered a mask from ${quiet_from} to ${quiet_until} (${time_zone}).`,
          'The first members are mailed at once: this cannot be undone.',
        ],
        counts: { masks: available },
      },
      summary: `Offering the masks of drop ${number} began.`,
      subject: { kind: 'drop', id: String(number) },
      details: { minutes, time_zone, quiet_from, quiet_until },
      undo: null,
    };
  },
};

function describeMinutes(minutes: number): string {
  return minutes % 60 === 0 ? countOf(minutes / 60, 'hour') : countOf(minutes, 'minute');
}
