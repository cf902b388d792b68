import { randomInt } from 'node:crypto';
import type { Brand } from '../../../brand/brand-shape.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Applied, Operation } from '../../changes/operation.ts';
import type { OfferRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { assertCodes, levelOf } from '../../line/referrals/tier-rules.ts';
import { conflict, invalidField, Problem } from '../../problem.ts';
import { deleteFreeCodes, insertCodes, takeCode } from './code-store.ts';
import { findSize } from './size-rules.ts';
import { readLockedSizes } from './store.ts';

/** Letters and digits that nobody confuses. 16 of them are 80 bits. */
const CODE_LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_GROUPS = 4;
const GROUP_LETTERS = 4;

type ImportedCodes = {
  readonly codes: readonly string[];
  readonly size: string | null;
  /** Tier whose reward the codes are; null for codes of passes. */
  readonly tier?: number | null;
};

async function addCodes(
  transaction: Transaction,
  done: 'imported' | 'made',
  { codes, size, tier = null }: ImportedCodes,
): Promise<Applied> {
  const odd = codes.filter((code) => !/^[!-~]{1,100}$/.test(code));
  if (odd.length > 0) throw invalidField(`Codes are printable, without spaces: ${name(odd)}.`);
  const repeated = codes.filter((code, index) => codes.lastIndexOf(code) !== index);
  if (repeated.length > 0) throw invalidField(`These are twice in the list: ${name(repeated)}.`);
  const sizes = await readLockedSizes(transaction);
  if (size !== null) findSize(sizes, size);
  const added = new Set(await insertCodes(transaction, { codes, size, tier }));
  const before = codes.filter((code) => !added.has(code));
  if (before.length > 0) throw conflict(`These were imported or given before: ${name(before)}.`);
  const purpose = size ? `size ${size}` : 'any size';
  const given = `${countOf(codes.length, 'code')} for ${tier ? `tier ${tier}` : purpose}`;
  const from = done === 'imported' ? 'an imported code' : 'one of them or of the imported ones';
  const isOne = codes.length === 1;
  const next = tier ? 'Each is the reward of one member.' : `From then on every pass gets ${from}.`;
  return {
    sentences: [`${given} ${isOne ? 'is' : 'are'} ${done}. ${next}`],
    counts: { codes: codes.length },
    summary: `${given} ${isOne ? 'was' : 'were'} ${done}.`,
    subject: null,
    details: { codes: codes.length, size, ...(tier && { tier }) },
    undo: { codes },
  };
}

/** Looks like "7KQF-2M9X-HTWB-4RZD". */
function newCode(): string {
  const group = () =>
    Array.from({ length: GROUP_LETTERS }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]);
  return Array.from({ length: CODE_GROUPS }, () => group().join('')).join('-');
}

function name(codes: readonly string[]): string {
  const SHOWN = 5;
  const first = codes.slice(0, SHOWN).join(', ');
  return codes.length > SHOWN ? `${first} and ${codes.length - SHOWN} others` : first;
}

/** The codes are not in the log: each is worth a mask. */
export function openImportCodes({ tiers }: Pick<Brand, 'tiers'>): Operation<'import-codes'> {
  return {
    isForOwners: true,
    lock: 'sizes',
    async apply(transaction, { codes, size = null, tier = null }) {
      if (size !== null && tier !== null)
        throw invalidField('Codes are for a size or for a tier, not for both.');
      if (tier !== null) assertCodes(levelOf(tiers, tier));
      return await addCodes(transaction, 'imported', { codes, size, tier });
    },
    undo: withdraw,
  };
}

export const makeCodesOperation: Operation<'make-codes'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { count, size = null }) {
    const codes = Array.from({ length: count }, newCode);
    return await addCodes(transaction, 'made', { codes, size });
  },
  undo: withdraw,
};

async function withdraw(transaction: Transaction, { codes }: Pick<ImportedCodes, 'codes'>) {
  if ((await deleteFreeCodes(transaction, codes)).length < codes.length)
    throw conflict('Some of these codes have since been given to members.');
  return { summary: `${countOf(codes.length, 'code')} of the shop were deleted again.` };
}

export async function claimCode(
  transaction: Transaction,
  { id, size }: Pick<OfferRow, 'id' | 'size'>,
): Promise<string> {
  const { code, isImporting } = await takeCode(transaction, { offerId: id, size });
  if (code !== null) return code;
  if (isImporting)
    throw new Problem(
      'unavailable',
      'The shop has no code left for this size right now. Your offer stands: try again later.',
      { retryAfterSeconds: 600 },
    );
  return newCode();
}
