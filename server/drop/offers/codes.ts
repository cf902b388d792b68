import type { Brand } from '../../../brand/brand-shape.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Applied, Operation } from '../../changes/operation.ts';
import { Problem } from '../../problem.ts';
import { levelOf } from '../../rewards/rewards.ts';
import { type ImportedCodes, importCodes, makeCodes, withdrawCodes } from './shop-codes.ts';

/**
 * Codes of the shop, for passes or for the reward of a tier. The codes are not in the log: each is
 * worth a mask.
 */
export function openImportCodes({
  brand,
}: {
  readonly brand: Pick<Brand, 'tiers'>;
}): Operation<'import-codes'> {
  return {
    kind: 'import-codes',
    isForOwners: true,
    lock: 'sizes',
    async apply(transaction, { codes, size = null, tier = null }) {
      if (size !== null && tier !== null)
        throw new Problem('invalid_field', 'Codes are for a size or for a tier, not for both.');
      if (tier !== null) levelOf(brand.tiers, tier);
      await importCodes(transaction, { codes, size, tier });
      return describe('imported', { codes, size, tier });
    },
    undo: withdraw,
  };
}

/** The same with codes that are made here, for passes. */
export const makeCodesOperation: Operation<'make-codes'> = {
  kind: 'make-codes',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { count, size = null }) {
    return describe('made', { codes: await makeCodes(transaction, { count, size }), size });
  },
  undo: withdraw,
};

function describe(done: 'imported' | 'made', { codes, size, tier }: ImportedCodes): Applied {
  const purpose = size ? `size ${size}` : 'any size';
  const given = `${countOf(codes.length, 'code')} for ${tier ? `tier ${tier}` : purpose}`;
  const from = done === 'imported' ? 'an imported code' : 'one of them or of the imported ones';
  const isOne = codes.length === 1;
  const next = tier ? 'Each is the reward of one member.' : `From then on every pass gets ${from}.`;
  return {
    effects: {
      sentences: [`${given} ${isOne ? 'is' : 'are'} ${done}. ${next}`],
      counts: { codes: codes.length },
    },
    summary: `${given} ${isOne ? 'was' : 'were'} ${done}.`,
    subject: null,
    details: { codes: codes.length, size, ...(tier && { tier }) },
    undo: { codes },
  };
}

async function withdraw(
  transaction: Parameters<typeof withdrawCodes>[0],
  { codes }: Pick<ImportedCodes, 'codes'>,
) {
  await withdrawCodes(transaction, codes);
  return { summary: `${countOf(codes.length, 'code')} of the shop were deleted again.` };
}
