/** Decision 0096 has the bytes that are hashed: texts are JSON without spaces in UTF-8. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Announcement, DrawEntrant, FrozenList, Randomness } from './draw-record.ts';

export function ticketOf(salt: string, memberId: string): string {
  return hashText(`${salt}:${memberId}`);
}

function listText({ number, frozen_at, salt, entrants }: FrozenList): string {
  return [['list', number, frozen_at, salt], ...entrants.map(entrantLine)]
    .map((line) => JSON.stringify(line))
    .join('\n');
}

function entrantLine({ position, ticket, points, sizes, takes_any, losses }: DrawEntrant) {
  const line = [position, ticket, points, sizes, takes_any];
  return losses === undefined ? line : [...line, losses];
}

export function hashList(list: FrozenList): string {
  return hashText(listText(list));
}

function announcementText(announcement: Announcement): string {
  const { number, list_hash, masks, by_rank, drawn_among, randomness, announced_at } = announcement;
  return JSON.stringify([
    'draw',
    number,
    list_hash,
    masks.map((size) => [size.size, size.masks]),
    by_rank,
    drawn_among,
    randomnessWords(randomness),
    announced_at,
  ]);
}

function randomnessWords(randomness: Randomness): readonly (string | number)[] {
  if (randomness.source === 'quicknet') return ['quicknet', randomness.round];
  return randomness.source === 'seed' ? ['seed', randomness.commitment] : ['none'];
}

export function hashAnnouncement(announcement: Announcement): string {
  return hashText(announcementText(announcement));
}

/** The score of a ticket: the smaller of two comes first, and each lost drop is one more try. */
export function scoreOf(
  randomness: string,
  { ticket, losses = 0 }: Pick<DrawEntrant, 'ticket' | 'losses'>,
): string {
  const bytes = concatBytes(hexToBytes(randomness), hexToBytes(ticket));
  let least = bytesToHex(sha256(bytes));
  for (let lost = 1; lost <= losses; lost += 1) {
    const score = bytesToHex(sha256(concatBytes(bytes, Uint8Array.of(lost))));
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
