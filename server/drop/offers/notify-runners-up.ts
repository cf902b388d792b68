import type { Brand } from '../../../brand/brand-shape.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Transaction } from '../../db/transaction.ts';
import { conflict } from '../../problem.ts';
import { changeOf, lockDropIn } from '../steps/drop-state.ts';
import { countRunnersUp, readNotifying, readRunnersUp, updateDrop } from '../steps/drop-store.ts';
import { ALL_NOTIFIED } from './offer-store.ts';

/** Joins wait for as long as the mails of one part take to queue. */
const AT_A_TIME = 500;

export async function takeRunnersUp(transaction: Transaction): Promise<string[]> {
  const notifying = await readNotifying(transaction);
  if (notifying === null) return [];
  const members = await readRunnersUp(transaction, notifying, AT_A_TIME);
  const last = members.length < AT_A_TIME ? undefined : members.at(-1);
  const others_told_until = last === undefined ? ALL_NOTIFIED : last.sequence + 1;
  await updateDrop(transaction, notifying.number, { others_told_until });
  return members.map(({ id }) => id);
}

export function openNotifyRunnersUp({ mails }: Pick<Brand, 'mails'>): Operation<'tell-others'> {
  return {
    isForOwners: true,
    lock: 'sizes',
    async apply(transaction) {
      if (!mails['not-chosen'].isOn)
        throw conflict('The mail "not-chosen" is switched off in brand.ts.');
      const drop = await lockDropIn(transaction, 'offering', 'closed');
      const { number, frozen_at, offering_at } = drop;
      if (offering_at === null || frozen_at === null)
        throw conflict(`No mask of drop ${number} was offered to anybody.`);
      if (drop.others_told_until !== null)
        throw conflict(`Everybody else was told about drop ${number} already.`);
      const count = await countRunnersUp(transaction, { number, frozen_at });
      await updateDrop(transaction, number, { others_told_until: 0 });
      const members = countOf(count, 'member is', 'members are');
      return changeOf(number, {
        sentences: [
          `${members} mailed that no mask came to them: ` +
            'all who joined before the freeze, have confirmed their address and were offered ' +
            'none, without holders of an earlier mask who were left out.',
          'Masks that come back later are offered to them all the same.',
        ],
        counts: { mails: count },
        summary: `${members} told about drop ${number}.`,
        details: { others: count },
      });
    },
  };
}
