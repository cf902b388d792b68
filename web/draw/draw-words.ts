import type { Announcement, DrawRecord } from '../../contract/drop/draw-record.ts';
import type { GivenView } from '../../contract/drop/drop-views.ts';
import { timeOfRound } from '../../contract/drop/randomness-rules.ts';
import { type DrawCheck, PROOFS } from '../../contract/drop/verify-draw-rules.ts';
import type { OwnPlace } from './own-place.ts';

export type Facts = readonly (readonly [term: string, value: string])[];

export type Verdict = {
  readonly look: 'working' | 'missing' | 'frozen' | 'announced' | 'showing' | 'fits' | 'forged';
  readonly title: string;
  readonly text: string;
  readonly problems?: readonly string[];
};

export const WORKING: Verdict = {
  look: 'working',
  title: 'Working the draw out...',
  text: 'Your browser checks every step by itself. Nothing about you is sent.',
};

export const MISSING: Verdict = {
  look: 'missing',
  title: 'No draw yet',
  text: 'The line is not frozen yet: there is nothing to draw. Every place can still change.',
};

export const FAILED: Verdict = {
  look: 'missing',
  title: 'No answer',
  text: 'The record of the draw did not arrive. Please try again in a moment.',
};

export const SHOWING: Verdict = {
  look: 'showing',
  title: 'Confirming each mask',
  text: 'Your browser compares every chosen ticket with the published record.',
};

export function judgeDraw(record: DrawRecord, check: DrawCheck): Verdict {
  const { problems, order, comparedWith } = check;
  if (problems.length > 0) {
    const text = 'This draw is NOT as it was announced:';
    return { look: 'forged', title: 'Do not trust this draw', text, problems };
  }
  const { announcement } = record;
  const proof = PROOFS[comparedWith];
  if (announcement === null) {
    const text = `The list fits its hash. The draw is not announced yet. ${proof}`;
    return { look: 'frozen', title: 'The order is fixed', text };
  }
  if (order === null) {
    const when = describeWait(announcement.randomness);
    const text = `List and announcement fit their hashes. ${when} ${proof}`;
    return { look: 'announced', title: 'The draw is yet to come', text };
  }
  const chosen = order.filter(({ size }) => size !== null).length;
  const text = `Your browser found the same ${chosen} chosen tickets. ${proof}`;
  return { look: 'fits', title: 'Everything fits', text };
}

function describeWait(randomness: Announcement['randomness']): string {
  if (randomness.source === 'none') return 'All masks go by rank.';
  if (randomness.source === 'seed') return 'A seed decides, which is published with the draw.';
  const at = formatTime(new Date(timeOfRound(randomness.round)));
  return `Public randomness of ${at} decides, which nobody can know before.`;
}

function formatTime(at: Date | string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Date(at).toLocaleString('en-GB', format)} UTC`;
}

export function describeGiven({ sizes, amendments }: GivenView): Facts {
  return [
    ...sizes.map(({ size, announced, given, ...offers }) => {
      const before = given === announced ? '' : `, announced were ${announced}`;
      const { open, passes, expired, declined, cancelled } = offers;
      const counts = [
        [open, 'offered now'],
        [passes, 'with a pass'],
        [expired, 'expired'],
        [declined, 'declined'],
        [cancelled, 'cancelled'],
      ] as const;
      const words = counts.flatMap(([count, what]) => (count === 0 ? [] : `${count} ${what}`));
      const all = words.length === 0 ? 'none is offered yet' : words.join(', ');
      return [size, `${given} in all${before}: ${all}`] as const;
    }),
    ...amendments.map(({ amended_at, masks, reason }) => {
      const numbers = masks.map((one) => `${one.masks} ${one.size}`).join(', ');
      return [
        `Changed at ${formatTime(amended_at)}`,
        `${numbers}. In the operator's words: ${reason}`,
      ] as const;
    }),
  ];
}

export function describeRecord({ number, entrants, frozen_at, announcement }: DrawRecord): Facts {
  const list: Facts = [
    ['Drop', String(number)],
    ['Entrants', `${entrants.length}, frozen at ${formatTime(frozen_at)}`],
  ];
  if (announcement === null) return list;
  const { masks, by_rank, drawn_among, randomness, announced_at } = announcement;
  const total = masks.reduce((sum, size) => sum + size.masks, 0);
  const rule =
    by_rank === total
      ? 'all by rank'
      : `${by_rank} by rank, ${total - by_rank} drawn among the first ${drawn_among}`;
  return [
    ...list,
    ['Announced at', formatTime(announced_at)],
    ['Masks', masks.map((size) => `${size.masks} ${size.size}`).join(', ')],
    ['Rule', rule],
    ...describeRandomness(randomness),
  ];
}

function describeRandomness(randomness: Announcement['randomness']): Facts {
  if (randomness.source === 'none') return [];
  if (randomness.source === 'seed') return [['Randomness', 'a seed of the operator']];
  const { round } = randomness;
  const at = formatTime(new Date(timeOfRound(round)));
  return [['Randomness', `round ${round} of drand's quicknet, at ${at}`]];
}

/** Lists all texts that are hashed or signed, exactly as they were. */
export function listHashes(record: DrawRecord, check: DrawCheck): Facts {
  const { announcement, evidence, frozen_at } = record;
  const seed = announcement?.randomness.source === 'seed' && announcement.randomness.commitment;
  return [
    ['Frozen at, to the millisecond', frozen_at],
    ['Hash of the list', check.listHash],
    ...(announcement === null
      ? []
      : ([['Announced at, to the millisecond', announcement.announced_at]] as const)),
    ...(check.announcementHash === null
      ? []
      : ([['Hash of the announcement', check.announcementHash]] as const)),
    ...(seed ? ([['Hash of the seed', seed]] as const) : []),
    ...(evidence === null ? [] : ([['Signature or seed', evidence]] as const)),
  ];
}

export function describeOwn({ position, losses, place, size }: OwnPlace): Facts {
  if (position === null) return [['Your ticket', 'is not on the list']];
  return [
    ['Position in the line', String(position)],
    ...(losses === 0 ? [] : ([['Drops that it lost', `${losses}: so many more tries`]] as const)),
    ...(place === null
      ? []
      : ([
          ['Place in the draw', String(place)],
          ['Chosen', size === null ? 'no' : `yes, size ${size}`],
        ] as const)),
  ];
}

export function listOwnHashes({ ticket, score, cutOff }: OwnPlace): Facts {
  return [
    ['Ticket', ticket],
    ...(score === null ? [] : ([['Your number', score]] as const)),
    ...(score === null || cutOff === null ? [] : ([['Cut-off: the last chosen', cutOff]] as const)),
  ];
}
