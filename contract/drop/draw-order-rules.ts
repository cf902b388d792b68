import { scoreOf } from './draw-hash-rules.ts';
import type { Announcement, DrawEntrant, DrawPlace, DrawRecord } from './draw-record.ts';

type Rule = Pick<Announcement, 'masks' | 'by_rank' | 'drawn_among'>;

/** All on the list take part, or those who entered by card. */
export function listTaking({
  entrants,
  entered,
}: Pick<DrawRecord, 'entrants' | 'entered'>): readonly DrawEntrant[] {
  if (entered === undefined) return entrants;
  const positions = new Set(entered);
  return entrants.filter(({ position }) => positions.has(position));
}

/** By rank, then the drawn ones by score, then the rest by position, who get no size. */
export function drawOrder(
  entrants: readonly DrawEntrant[],
  { masks, by_rank, drawn_among }: Rule,
  randomness: string | null,
): DrawPlace[] {
  const left = new Map(masks.map((size) => [size.size, size.masks]));
  const byRank = new Map<DrawEntrant, string>();
  for (const entrant of entrants) {
    if (byRank.size === by_rank) break;
    const size = takeSize(left, entrant);
    if (size !== null) byRank.set(entrant, size);
  }
  const others = entrants.filter((entrant) => !byRank.has(entrant));
  const isDrawn = ({ position }: DrawEntrant) => randomness !== null && position <= drawn_among;
  const drawn = sortByScore(others.filter(isDrawn), randomness ?? '');
  const rest = others.filter((entrant) => !isDrawn(entrant));
  return [
    ...[...byRank].map(([{ position }, size]) => ({ position, size })),
    ...drawn.map((entrant) => ({ position: entrant.position, size: takeSize(left, entrant) })),
    ...rest.map(({ position }) => ({ position, size: null })),
  ];
}

export function ruleProblem(
  { masks, by_rank, drawn_among, randomness }: Rule & Pick<Announcement, 'randomness'>,
  entrants: number,
): string | null {
  const total = countMasks(masks);
  const isWhole = [by_rank, drawn_among, ...masks.map((size) => size.masks)].every(
    (number) => Number.isSafeInteger(number) && number >= 0,
  );
  if (!isWhole) return 'Masks and entrants are counted in whole numbers.';
  if (total === 0) return 'There are no masks to give.';
  if (new Set(masks.map(({ size }) => size)).size < masks.length) return 'A size is named twice.';
  if (by_rank > total) return `Only ${total} masks can go by rank, not ${by_rank}.`;
  if (by_rank === total)
    return drawn_among === 0 && randomness.source === 'none'
      ? null
      : 'All masks go by rank, so nothing is drawn.';
  if (randomness.source === 'none') return 'A draw needs randomness.';
  return drawn_among < 1 || drawn_among > entrants
    ? `Masks can be drawn among the first 1 to ${entrants} entrants, not ${drawn_among}.`
    : null;
}

function countMasks(masks: Announcement['masks']): number {
  return masks.reduce((sum, size) => sum + size.masks, 0);
}

export function takeSize(
  left: Map<string, number>,
  { sizes, takes_any }: Pick<DrawEntrant, 'sizes' | 'takes_any'>,
): string | null {
  const wished = sizes.find((size) => (left.get(size) ?? 0) > 0);
  const size = wished ?? (takes_any ? mostLeft(left) : null);
  if (size !== null) left.set(size, (left.get(size) ?? 0) - 1);
  return size;
}

/** Members who name a size find it for longer so. Of equals, the one announced first. */
function mostLeft(left: ReadonlyMap<string, number>): string | null {
  let [most, found] = [0, null as string | null];
  for (const [size, masks] of left) if (masks > most) [most, found] = [masks, size];
  return found;
}

function sortByScore(entrants: readonly DrawEntrant[], randomness: string): DrawEntrant[] {
  return entrants
    .map((entrant) => ({ entrant, score: scoreOf(randomness, entrant) }))
    .sort((a, b) => (a.score < b.score ? -1 : 1))
    .map(({ entrant }) => entrant);
}
