import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { readNumber } from '../../ui/formats.ts';

type AnnounceInput = ChangeInput<'announce-draw'>;
type Values = Readonly<Record<string, string | undefined>>;

export const nameMasks = (size: string) => `masks of ${size}`;

export function readDraw(sizes: readonly string[], values: Values): AnnounceInput {
  const masks = sizes.map((size) => ({ size, masks: Number(values[nameMasks(size)]) }));
  const { byRank, among, source, drawAt } = values;
  if (!isDrawn(sizes, values)) return { masks, by_rank: Number(byRank), source: 'none' };
  const rule = { masks, by_rank: Number(byRank), ...(among && { drawn_among: Number(among) }) };
  if (source === 'seed') return { ...rule, source };
  return { ...rule, source: 'quicknet', draw_at: drawAt ?? '' };
}

/** Whether fewer masks go by rank than there are. */
export function isDrawn(sizes: readonly string[], values: Values): boolean {
  const read = (name: string) => readNumber(values[name] ?? '', false) || 0;
  return read('byRank') < sizes.reduce((sum, size) => sum + read(nameMasks(size)), 0);
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

/** Hours such as "1.5", of two weeks at most, which are sent as minutes. */
export const HOURS_FIELD = {
  kind: 'decimal',
  read: (hours: string) => Math.round(Number(hours) * 60),
  min: 0.02,
  max: 336,
  value: '12',
  isRequired: true,
  isShort: true,
} as const;

export function readSignature(text: string): string | null {
  const [signature] = /\b[0-9a-f]{96}\b/.exec(text) ?? [];
  return signature ?? null;
}
