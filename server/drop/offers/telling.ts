import type { Brand } from '../../../brand/brand-shape.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { Problem } from '../../problem.ts';
import { startTelling } from './tell-others.ts';

/** Mails everybody who was not offered a mask, once for each drop. */
export function openTellOthers({
  brand,
}: {
  readonly brand: Pick<Brand, 'mails'>;
}): Operation<'tell-others'> {
  return {
    kind: 'tell-others',
    isForOwners: true,
    lock: 'sizes',
    async apply(transaction) {
      if (!brand.mails['not-chosen'].isOn)
        throw new Problem('conflict', 'The mail "not-chosen" is switched off in brand.ts.');
      const { number, others } = await startTelling(transaction);
      return {
        effects: {
          sentences: [
            `${countOf(others, 'member is', 'members are')} mailed that no mask came to them: ` +
              'all who joined before the freeze and were offered none.',
            'Masks that come back later are offered to them all the same.',
          ],
          counts: { mails: others },
        },
        summary: `${countOf(others, 'member is', 'members are')} told about drop ${number}.`,
        subject: { kind: 'drop', id: String(number) },
        details: { others },
        undo: null,
      };
    },
  };
}
