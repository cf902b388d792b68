import { expect, test } from 'vitest';
import { hashHex, scoreOf, ticketOf } from '../../contract/drop/draw-hash-rules.ts';
import { drawOrder } from '../../contract/drop/draw-order-rules.ts';
import type { Announcement, DrawRecord } from '../../contract/drop/draw-record.ts';
import { findOwnPlace, readOwnId } from './own-place.ts';

const SALT = '00112233445566778899aabbccddeeff';
const SEED = '42'.repeat(32);
const idOf = (number: number) => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const weightAt = (position: number) => 2 + (position % 4);
const entrants = Array.from({ length: 9 }, (_, index) => ({
  position: index + 1,
  weight: weightAt(index + 1),
  ticket: ticketOf(SALT, idOf(index + 1)),
  points: 0,
  sizes: [],
  takes_any: true,
}));
const announcement: Announcement = {
  number: 1,
  list_hash: '',
  masks: [{ size: 'Small', masks: 3 }],
  by_rank: 1,
  drawn_among: 6,
  randomness: { source: 'seed', commitment: hashHex(SEED) },
  announced_at: '2026-01-02T03:04:05.678Z',
};
const order = drawOrder(entrants, announcement, SEED);
const record: DrawRecord = {
  version: 2,
  number: 1,
  frozen_at: '',
  salt: SALT,
  entrants,
  list_hash: '',
  announcement,
  announcement_hash: '',
  evidence: SEED,
  order,
};

test('a drawn ticket is chosen exactly up to the cut-off', () => {
  for (const position of [2, 3, 4, 5, 6]) {
    const own = findOwnPlace(record, order, idOf(position));
    expect(own.score).toBe(scoreOf(SEED, { ticket: own.ticket, weight: weightAt(position) }));
    expect(own.weight).toBe(weightAt(position));
    expect(own.size === 'Small').toBe((own.score ?? '') <= (own.cutOff ?? ''));
    expect(order[(own.place ?? 0) - 1]?.position).toBe(position);
  }
});

test('members chosen by rank, and members behind the draw, have no score', () => {
  expect(findOwnPlace(record, order, idOf(1))).toMatchObject({
    position: 1,
    place: 1,
    size: 'Small',
    score: null,
  });
  expect(findOwnPlace(record, order, idOf(9))).toMatchObject({ place: 9, size: null, score: null });
  expect(findOwnPlace(record, null, idOf(9))).toMatchObject({ position: 9, place: null });
  expect(findOwnPlace(record, order, idOf(10))).toMatchObject({ position: null });
});

test('an id is read out of the address of a status page', () => {
  expect(readOwnId(` https://line.example.com/thank-you/${idOf(3).toUpperCase()} `)).toBe(idOf(3));
  expect(readOwnId('ghost@example.com')).toBeNull();
});
