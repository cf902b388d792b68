/** Decision 0096 has the bytes that are hashed: texts are JSON without spaces in UTF-8. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Announcement, DrawEntrant, FrozenList, Randomness } from './draw-record.ts';

export function ticketOf(salt: string, memberId: string): string {
  return hashText(`${salt}:${memberId}`);
}

function listText({ version, number, frozen_at, salt, entrants }: FrozenList): string {
  const head = ['list', number, frozen_at, salt];
  return [version === undefined ? head : [...head, version], ...entrants.map(entrantLine)]
    .map((line) => JSON.stringify(line))
    .join('\n');
}

function entrantLine({ position, ticket, points, sizes, takes_any, ...entrant }: DrawEntrant) {
  const line = [position, ticket, points, sizes, takes_any];
  const last = entrant.weight ?? entrant.losses;
  return last === undefined ? line : [...line, last];
}

export function hashList(list: FrozenList): string {
  return hashText(listText(list));
}

function announcementText(announcement: Announcement): string {
  const { number, list_hash, masks, by_rank, drawn_among, randomness, ...more } = announcement;
  return JSON.stringify([
    'draw',
    number,
    list_hash,
    masks.map((size) => [size.size, size.masks]),
    by_rank,
    drawn_among,
    randomnessWords(randomness),
    more.announced_at,
    ...(more.entered_hash === undefined ? [] : [more.entered_hash]),
  ]);
}

function randomnessWords(randomness: Randomness): readonly (string | number)[] {
  if (randomness.source === 'quicknet') return ['quicknet', randomness.round];
  return randomness.source === 'seed' ? ['seed', randomness.commitment] : ['none'];
}

export function hashAnnouncement(announcement: Announcement): string {
  return hashText(announcementText(announcement));
}

/** Binds who entered by card before anybody can know the randomness. */
export function hashEntered(positions: readonly number[]): string {
  return hashText(JSON.stringify(positions));
}

type Weighted = Pick<DrawEntrant, 'weight' | 'losses'>;

/** Hashes of a ticket: its half tickets, or in records without a version one and its lost drops. */
export function triesOf({ weight, losses = 0 }: Weighted): number {
  return weight ?? 1 + losses;
}

/**
 * The score of a ticket, of which the smaller of two comes first: the smallest of its hashes. So
 * tickets come as if drawn one after the other, each by its share of the weights that are left.
 */
export function scoreOf(
  randomness: string,
  { ticket, ...weighted }: Pick<DrawEntrant, 'ticket'> & Weighted,
): string {
  const bytes = concatBytes(hexToBytes(randomness), hexToBytes(ticket));
  let least = bytesToHex(sha256(bytes));
  for (let number = 1; number < triesOf(weighted); number += 1) {
    const score = bytesToHex(sha256(concatBytes(bytes, Uint8Array.of(number))));
    if (score < least) least = score;
  }
  return least;
}

export function hashHex(hex: string): string {
  return bytesToHex(sha256(hexToBytes(hex)));
}

function hashText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
