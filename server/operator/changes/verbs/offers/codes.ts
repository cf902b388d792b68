import { importCodes, withdrawCodes } from '../../../../drop/offers/shop-codes.ts';
import type { Verb } from '../../change.ts';
import { countOf } from '../count-words.ts';

/** Codes of the shop, for passes. The codes are not in the log: each is worth a mask. */
export const importCodesVerb: Verb<'import-codes'> = {
  kind: 'import-codes',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { codes, size = null }) {
    await importCodes(transaction, { codes, size });
    const kind = size === null ? 'any size' : `size ${size}`;
    return {
      effects: {
        sentences: [
          `${countOf(codes.length, 'code')} for ${kind} ${codes.length === 1 ? 'is' : 'are'} ` +
            'imported. From then on every pass gets an imported code.',
        ],
        counts: { codes: codes.length },
      },
      summary: `${countOf(codes.length, 'code')} of the shop for ${kind} were imported.`,
      subject: null,
      details: { codes: codes.length, size },
      undo: { codes },
    };
  },
  async undo(transaction, { codes }: { readonly codes: readonly string[] }) {
    await withdrawCodes(transaction, codes);
    return { summary: `${countOf(codes.length, 'imported code')} were deleted again.` };
  },
};
