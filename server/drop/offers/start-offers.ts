import type { ChangeInput } from '../../../contract/operator/changes.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { assertTimeZone } from '../schedule/schedule-rules.ts';
import { markDone } from '../schedule/schedule-store.ts';
import { changeOf, lockDropIn } from '../steps/drop-state.ts';
import { updateDrop } from '../steps/drop-store.ts';
import { sumHeld } from '../stock/size-rules.ts';
import { listSizes } from '../stock/store.ts';
import { countCodes } from './code-store.ts';
import { describeMissingCodes, isTimeOfDay } from './offer-rules.ts';
import { readNow } from './offer-store.ts';

export const startOffersOperation: Operation<'start-offers'> = {
  kind: 'start-offers',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, input) {
    const { number, available } = await startOffers(transaction, input);
    const { minutes, time_zone, quiet_from = null, quiet_until = null } = input;
    return changeOf(number, {
      sentences: [
        `${countOf(available, 'mask is', 'masks are')} offered in the draw order, within a ` +
          'minute: what was announced, as it was amended.',
        `Each offer stands for ${describeMinutes(minutes)}; masks that come back go to the next.`,
        quiet_from === null
          ? 'There are no quiet hours.'
          : `Nobody is offered a mask from ${quiet_from} to ${quiet_until} (${time_zone}).`,
        'The first members are mailed at once: this cannot be undone.',
      ],
      counts: { masks: available },
      summary: `Offering the masks of drop ${number} began.`,
      details: { minutes, time_zone, quiet_from, quiet_until },
    });
  },
};

function describeMinutes(minutes: number): string {
  return minutes % 60 === 0 ? countOf(minutes / 60, 'hour') : countOf(minutes, 'minute');
}

export async function startOffers(transaction: Transaction, terms: ChangeInput<'start-offers'>) {
  const { minutes, time_zone, quiet_from = null, quiet_until = null } = terms;
  if ((quiet_from === null) !== (quiet_until === null))
    throw new Problem('invalid_field', 'Quiet hours need both a beginning and an end.');
  for (const time of [quiet_from, quiet_until])
    if (time !== null && !isTimeOfDay(time))
      throw new Problem('invalid_field', 'Quiet hours are times such as 22:00.');
  assertTimeZone(time_zone);
  const { number } = await lockDropIn(transaction, 'selected');
  const sizes = await listSizes({ kysely: transaction });
  const codes = await countCodes({ kysely: transaction });
  const missing = codes.length === 0 ? null : describeMissingCodes(sizes, codes);
  if (missing !== null)
    throw new Problem(
      'conflict',
      `Codes of the shop are missing: ${missing}. Import or make them first.`,
    );
  await updateDrop(transaction, number, {
    state: 'offering',
    offering_at: await readNow({ kysely: transaction }),
    offer_minutes: minutes,
    time_zone,
    quiet_from,
    quiet_until,
  });
  await markDone(transaction, number, 'start-offers');
  return { number, available: sumHeld(sizes) };
}
