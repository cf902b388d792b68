import { importCodes, makeCodes, withdrawCodes } from '../../../../drop/offers/shop-codes.ts';
import type { Applied, Verb } from '../../change.ts';
import { countOf } from '../count-words.ts';

/** Codes of the shop, for passes. The codes are not in the log: each is worth a mask. */
export const importCodesVerb: Verb<'import-codes'> = {
  kind: 'import-codes',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { codes, size = null }) {
    await importCodes(transaction, { codes, size });
    return describe('imported', { codes, size });
  },
  undo: withdraw,
};

/** The same with codes that are made here. */
export const makeCodesVerb: Verb<'make-codes'> = {
  kind: 'make-codes',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { count, size = null }) {
    return describe('made', { codes: await makeCodes(transaction, { count, size }), size });
  },
  undo: withdraw,
};

type Given = { readonly codes: readonly string[]; readonly size: string | null };

function describe(done: 'imported' | 'made', { codes, size }: Given): Applied {
  const given = `${countOf(codes.length, 'code')} for ${size ? `size ${size}` : 'any size'}`;
  const from = done === 'imported' ? 'an imported code' : 'one of them or of the imported ones';
  const isOne = codes.length === 1;
  return {
    effects: {
      sentences: [
        `${given} ${isOne ? 'is' : 'are'} ${done}. From then on every pass gets ${from}.`,
      ],
      counts: { codes: codes.length },
    },
    summary: `${given} ${isOne ? 'was' : 'were'} ${done}.`,
    subject: null,
    details: { codes: codes.length, size },
    undo: { codes },
  };
}

async function withdraw(
  transaction: Parameters<typeof withdrawCodes>[0],
  { codes }: Pick<Given, 'codes'>,
) {
  await withdrawCodes(transaction, codes);
  return { summary: `${countOf(codes.length, 'code')} of the shop were deleted again.` };
}
