import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { withoutThousands } from '../../ui/formats.ts';

type AnnounceInput = ChangeInput<'announce-draw'>;
type Values = Readonly<Record<string, string | undefined>>;

export const nameMasks = (size: string) => `masks of ${size}`;

export function readDraw(sizes: readonly string[], values: Values): AnnounceInput | null {
  const masks = sizes.flatMap((size) => {
    const count = readWhole(values[nameMasks(size)]);
    return count === null ? [] : [{ size, masks: count }];
  });
  if (masks.length < sizes.length) return null;
  const byRank = readWhole(values.byRank);
  if (byRank === null) return null;
  if (!isDrawn(sizes, values)) return { masks, by_rank: byRank, source: 'none' };
  const among = values.among ? readWhole(values.among) : undefined;
  if (among === null) return null;
  const rule = { masks, by_rank: byRank, ...(among !== undefined && { drawn_among: among }) };
  if (values.source === 'seed') return { ...rule, source: 'seed' };
  return values.drawAt ? { ...rule, source: 'quicknet', draw_at: values.drawAt } : null;
}

/** Whether fewer masks go by rank than there are. */
export function isDrawn(sizes: readonly string[], values: Values): boolean {
  const masks = sizes.map((size) => readWhole(values[nameMasks(size)]) ?? 0);
  return (readWhole(values.byRank) ?? 0) < masks.reduce((sum, count) => sum + count, 0);
}

export function readDomains(text: string): string[] {
  return text.split(/[\s,;]+/).filter((domain) => domain !== '');
}

/** More may be allocated of a size than it has: it does not take from the others. */
export function sumAvailable(
  sizes: readonly Pick<DropFacts['sizes'][number], 'available'>[],
): number {
  return sizes.reduce((sum, { available }) => sum + Math.max(0, available), 0);
}

export function readWhole(text = ''): number | null {
  const digits = withoutThousands(text);
  return /^\d{1,7}$/.test(digits) ? Number(digits) : null;
}

const MAX_MINUTES = 14 * 24 * 60;

/** The minutes of "1.5" or "1,5" hours; null below `min`, and beyond two weeks. */
export function readHours(text: string, min: number): number | null {
  const isNumber = /^\d{1,3}(?:[.,]\d{1,2})?$/.test(text);
  const minutes = isNumber ? Math.round(Number(text.replace(',', '.')) * 60) : 0;
  return minutes >= min && minutes <= MAX_MINUTES ? minutes : null;
}

export function readSignature(text: string): string | null {
  const [signature] = /\b[0-9a-f]{96}\b/.exec(text) ?? [];
  return signature ?? null;
}
