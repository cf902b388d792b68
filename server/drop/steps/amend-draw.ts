import type { Amendment } from '../../../contract/drop/draw-record.ts';
import { assertReason } from '../../changes/audit/record-audit.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { conflict, invalidField } from '../../problem.ts';
import { countOffers, countPasses, readNow } from '../offers/offer-store.ts';
import { findSize } from '../stock/size-rules.ts';
import { listSizes } from '../stock/store.ts';
import { changeOf, lockDropIn } from './drop-state.ts';
import { updateDrop } from './drop-store.ts';

export const amendDrawOperation: Operation<'amend-draw'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { size: name, masks, public_reason: reason }) {
    assertReason(reason);
    const drop = await lockDropIn(transaction, 'frozen', 'selected', 'offering');
    const { number, announcement } = drop;
    if (announcement === null) throw conflict(`The draw of drop ${number} is not announced yet.`);
    const amendments = drop.amendments ?? [];
    const announced = amendments.at(-1)?.masks ?? announcement.masks;
    const before = announced.find((one) => one.size === name)?.masks;
    if (before === undefined)
      throw invalidField(`No number of a size ${JSON.stringify(name)} is announced.`);
    const database = { kysely: transaction };
    const { available } = findSize(await listSizes(database), name);
    const offers = (await countOffers(database, number)).get(name);
    const taken = offers ? offers.open + countPasses(offers) : 0;
    if (masks < taken || masks > taken + available || masks === before)
      throw conflict(
        `Of size ${name}, ${taken} are offered or given, ${before} announced, and ` +
          `${taken + available} in stock for this drop: choose another number between them.`,
      );
    const amendment: Amendment = {
      amended_at: (await readNow(database)).toISOString(),
      masks: announced.map((one) => (one.size === name ? { size: name, masks } : one)),
      reason,
    };
    await updateDrop(transaction, number, {
      amendments: JSON.stringify([...amendments, amendment]),
    });
    return changeOf(number, {
      sentences: [
        `${countOf(masks, 'mask')} of size ${name} ${masks === 1 ? 'is' : 'are'} given, ` +
          `instead of ${before}.`,
        `The page of the draw says so at once, for good, with your words: ${reason}`,
        'The announcement, its hash and the order of the draw stay.',
      ],
      counts: { before, after: masks },
      summary: `${countOf(masks, 'mask')} of size ${name} instead of ${before} in drop ${number}.`,
      details: { size: name, before, after: masks },
    });
  },
};
