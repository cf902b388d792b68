import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';

type AnnounceInput = ChangeInput<'announce-draw'>;

export type DrawFields = {
  readonly way: 'rank' | 'draw' | 'both';
  readonly masks: Readonly<Record<string, string>>;
  readonly byRank: string;
  readonly among: string;
  readonly source: 'quicknet' | 'seed';
  readonly drawAt: string;
};

/** A few masks by rank: positions can be bought, and docs/drop.md says for how much. */
export function usualDraw({
  sizes,
  entrants,
  members,
}: Pick<DropFacts, 'sizes' | 'entrants' | 'members'>): DrawFields {
  const total = sumAvailable(sizes);
  return {
    way: 'both',
    masks: Object.fromEntries(
      sizes.map(({ size, available }) => [size, String(Math.max(0, available))]),
    ),
    byRank: String(Math.ceil(total / 10)),
    // Planned before the freeze, it is not known yet.
    among: String(entrants.entrants || members),
    source: 'quicknet',
    drawAt: '',
  };
}

/** More may be allocated of a size than it has: it does not take from the others. */
export function sumAvailable(
  sizes: readonly Pick<DropFacts['sizes'][number], 'available'>[],
): number {
  return sizes.reduce((sum, { available }) => sum + Math.max(0, available), 0);
}

export function readDraw(fields: DrawFields): AnnounceInput | null {
  const masks = Object.entries(fields.masks).map(([size, text]) => ({
    size,
    masks: readWhole(text),
  }));
  const counted = masks.filter((one): one is typeof one & { masks: number } => one.masks !== null);
  if (counted.length < masks.length) return null;
  const total = counted.reduce((sum, one) => sum + one.masks, 0);
  if (fields.way === 'rank')
    return { masks: counted, by_rank: total, drawn_among: 0, source: 'none' };
  const byRank = fields.way === 'draw' ? 0 : readWhole(fields.byRank);
  const among = readWhole(fields.among);
  if (byRank === null || among === null) return null;
  const rule = { masks: counted, by_rank: byRank, drawn_among: among };
  if (fields.source === 'seed') return { ...rule, source: 'seed' };
  return fields.drawAt === '' ? null : { ...rule, source: 'quicknet', draw_at: fields.drawAt };
}

export function readWhole(text: string): number | null {
  return /^\d{1,7}$/.test(text.trim()) ? Number(text) : null;
}

export function readSignature(text: string): string | null {
  const [signature] = /\b[0-9a-f]{96}\b/.exec(text) ?? [];
  return signature ?? null;
}
