import type { Announcement, DrawRecord } from '../../contract/drop/draw-record.ts';
import type { GivenView } from '../../contract/drop/drop-views.ts';
import { timeOfRound } from '../../contract/drop/randomness-rules.ts';
import { type DrawCheck, PROOFS } from '../../contract/drop/verify-draw-rules.ts';
import { weightWords } from '../../contract/drop/weight-rules.ts';
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
  title: 'Yet to come',
  text: 'When the list closes, the masks light here one by one. Anyone can check who gets one.',
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
  const { announcement, entrants } = record;
  const proof = PROOFS[comparedWith];
  if (announcement === null) {
    const compared = comparedWith === 'nothing' ? '' : ` ${proof}`;
    const text = `${entrants.length} tickets are in. The draw comes next.${compared}`;
    return { look: 'frozen', title: 'The order is fixed', text };
  }
  if (order === null) {
    const when = describeWait(announcement.randomness);
    const text = `List and announcement fit their hashes. ${when} ${proof}`;
    return { look: 'announced', title: 'The draw is yet to come', text };
  }
  const chosen = order.filter(({ size }) => size !== null).length;
  const further =
    comparedWith === 'nothing'
      ? 'To be sure nothing was swapped, paste the hash from your mail.'
      : proof;
  const text = `Your browser worked out the same ${chosen} names. ${further}`;
  return { look: 'fits', title: 'The draw checks out', text };
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
      const numbers = masks.map(({ masks: count, size }) => `${count} ${size}`).join(', ');
      return [
        `Changed at ${formatTime(amended_at)}`,
        `${numbers}. In the operator's words: ${reason}`,
      ] as const;
    }),
  ];
}

export function describeRecord(record: DrawRecord): Facts {
  const { version, number, entrants, entered, frozen_at, announcement } = record;
  const masks = announcement?.masks.map((size) => `${size.masks} ${size.size}`).join(', ');
  return present([
    ['Drop', String(number)],
    ['Entrants', `${entrants.length}, frozen at ${formatTime(frozen_at)}`],
    ['Entered by card', entered && String(entered.length)],
    ['Announced at', announcement && formatTime(announcement.announced_at)],
    ['Masks', masks],
    ['Rule', announcement && describeRule(announcement, version)],
    ['Randomness', announcement && describeRandomness(announcement.randomness)],
  ]);
}

function describeRule({ masks, by_rank, drawn_among }: Announcement, version = 1): string {
  const total = masks.reduce((sum, size) => sum + size.masks, 0);
  if (by_rank === total) return 'all by rank';
  const drawn = `${total - by_rank} drawn among the first ${drawn_among}`;
  return `${by_rank} by rank, ${drawn}${version === 1 ? '' : ', by the weight of each ticket'}`;
}

function describeRandomness(randomness: Announcement['randomness']): string | null {
  if (randomness.source === 'none') return null;
  if (randomness.source === 'seed') return 'a seed of the operator';
  const at = formatTime(new Date(timeOfRound(randomness.round)));
  return `round ${randomness.round} of drand's quicknet, at ${at}`;
}

/** Lists all texts that are hashed or signed, exactly as they were. */
export function listHashes({ announcement, evidence, frozen_at }: DrawRecord, check: DrawCheck) {
  const randomness = announcement?.randomness;
  return present([
    ['Frozen at, to the millisecond', frozen_at],
    ['Hash of the list', check.listHash],
    ['Announced at, to the millisecond', announcement?.announced_at],
    ['Hash of who entered', announcement?.entered_hash],
    ['Hash of the announcement', check.announcementHash],
    ['Hash of the seed', randomness?.source === 'seed' && randomness.commitment],
    ['Signature or seed', evidence],
  ]);
}

export function describeOwn({
  position,
  weight,
  losses,
  hasEntered,
  place,
  size,
}: OwnPlace): Facts {
  if (position === null) return [['Your ticket', 'is not on the list']];
  return present([
    ['Position in the line', String(position)],
    ['Weight in the draw', weight !== null && weightWords(weight)],
    ['Drops that it lost', losses > 0 && `${losses}: so many more tries`],
    ['Entered by card', hasEntered !== null && (hasEntered ? 'yes' : 'no')],
    ['Place in the draw', place !== null && String(place)],
    ['Chosen', place !== null && (size === null ? 'no' : `yes, size ${size}`)],
  ]);
}

export function listOwnHashes({ ticket, score, cutOff }: OwnPlace): Facts {
  return present([
    ['Ticket', ticket],
    ['Your number', score],
    ['Cut-off: the last chosen', score && cutOff],
  ]);
}

/** Leaves out the facts without a text. */
function present(
  facts: readonly (readonly [term: string, value: string | false | null | undefined])[],
): Facts {
  return facts.flatMap(([term, value]) => (value ? [[term, value] as const] : []));
}
