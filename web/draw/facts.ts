/** What the page says about a draw, as pairs of a term and its value. */
import type { Announcement, DrawRecord } from '../../contract/drop/draw-record.ts';
import { timeOfRound } from '../../contract/drop/randomness-rules.ts';
import type { DrawCheck } from '../../contract/drop/verify-draw-rules.ts';
import type { OwnPlace } from './own-place.ts';

export type Facts = readonly (readonly [term: string, value: string])[];

export function describeState(record: DrawRecord, { problems, order }: DrawCheck): string {
  if (problems.length > 0) return 'This draw is NOT as it was announced:';
  if (record.announcement === null) return 'The list fits its hash. The draw is not announced yet.';
  if (order === null) return 'List and announcement fit their hashes. The draw is yet to come.';
  const chosen = order.filter(({ size }) => size !== null).length;
  return `Everything fits: your browser found the same ${chosen} chosen tickets.`;
}

export function describeRecord(record: DrawRecord, check: DrawCheck): Facts {
  const { announcement, evidence } = record;
  return [
    ['Drop', String(record.number)],
    ['Entrants', `${record.entrants.length}, frozen at ${record.frozen_at}`],
    ['Hash of the list', check.listHash],
    ...(announcement === null ? [] : describeAnnouncement(announcement)),
    ...(check.announcementHash === null
      ? []
      : [['Hash of the announcement', check.announcementHash] as const]),
    ...(evidence === null ? [] : [['Signature or seed', evidence] as const]),
  ];
}

function describeAnnouncement({ masks, by_rank, drawn_among, randomness }: Announcement): Facts {
  const total = masks.reduce((sum, size) => sum + size.masks, 0);
  const rule =
    by_rank === total
      ? 'all by rank'
      : `${by_rank} by rank, ${total - by_rank} drawn among the first ${drawn_among}`;
  return [
    ['Masks', masks.map((size) => `${size.masks} ${size.size}`).join(', ')],
    ['Rule', rule],
    ...describeRandomness(randomness),
  ];
}

function describeRandomness(randomness: Announcement['randomness']): Facts {
  if (randomness.source === 'none') return [];
  if (randomness.source === 'seed') return [['Randomness', `a seed: ${randomness.commitment}`]];
  const { round } = randomness;
  const at = new Date(timeOfRound(round)).toISOString();
  return [['Randomness', `round ${round} of drand's quicknet, at ${at}`]];
}

export function describeOwn({ ticket, position, place, size, score, cutOff }: OwnPlace): Facts {
  if (position === null) return [['Ticket', `${ticket}, which is not on the list`]];
  return [
    ['Ticket', ticket],
    ['Position in the line', String(position)],
    ...(place === null
      ? []
      : ([
          ['Place in the draw', String(place)],
          ['Chosen', size === null ? 'no' : `yes, size ${size}`],
        ] as const)),
    ...(score === null ? [] : [['Your number', score] as const]),
    ...(score === null || cutOff === null ? [] : [['Cut-off: the last chosen', cutOff] as const]),
  ];
}
