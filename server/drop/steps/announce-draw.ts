import { randomBytes } from 'node:crypto';
import { hashAnnouncement, hashHex } from '../../../contract/drop/draw-hash-rules.ts';
import { ruleProblem } from '../../../contract/drop/draw-order-rules.ts';
import type { Announcement, Randomness } from '../../../contract/drop/draw-record.ts';
import { roundAt, timeOfRound } from '../../../contract/drop/randomness-rules.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { markDone } from '../schedule/schedule-store.ts';
import type { MaskSize } from '../stock/size-rules.ts';
import { readSizes } from '../stock/store.ts';
import { dropSubject, lockDropIn } from './drop-state.ts';
import { countEntrants, updateDrop } from './drop-store.ts';

/** Members must have time to note the hash before the round is public. */
const MIN_NOTICE_MS = 60_000;
const MAX_NOTICE_MS = 30 * 24 * 3600 * 1000;
const SEED_BYTES = 32;

/** `masks`: those of each size that are given; without it, all that are available. */
type WantedDraw = {
  readonly masks?: Announcement['masks'];
  readonly by_rank: number;
  readonly drawn_among: number;
  readonly source: Randomness['source'];
  readonly draw_at?: string;
};

type AnnouncedDraw = { readonly announcement: Announcement; readonly hash: string };

/**
 * Fixes everything that decides who is chosen; it never changes afterwards. Throws Problem
 * invalid_field or conflict.
 */
async function announceDraw(
  transaction: Transaction,
  { source, draw_at, ...wanted }: WantedDraw,
): Promise<AnnouncedDraw> {
  const drop = await lockDropIn(transaction, 'frozen');
  const { number, list_hash } = drop;
  if (drop.announced_at !== null || list_hash === null)
    throw new Problem('conflict', `The draw of drop ${number} is announced already.`);
  const now = new Date();
  const seed = randomBytes(SEED_BYTES).toString('hex');
  const announcement: Announcement = {
    number,
    list_hash,
    masks: chooseMasks(await readSizes({ kysely: transaction }), wanted.masks),
    by_rank: wanted.by_rank,
    drawn_among: wanted.drawn_among,
    randomness: chooseRandomness({ source, drawAt: draw_at, seed, now }),
    announced_at: now.toISOString(),
  };
  const { entrants } = await countEntrants({ kysely: transaction }, number);
  const problem = ruleProblem(announcement, entrants);
  if (problem !== null) throw new Problem('invalid_field', problem);
  const hash = hashAnnouncement(announcement);
  await updateDrop(transaction, number, {
    announced_at: now,
    announcement: JSON.stringify(announcement),
    announcement_hash: hash,
    evidence: source === 'seed' ? seed : null,
  });
  await markDone(transaction, number, 'announce-draw');
  return { announcement, hash };
}

function chooseMasks(
  sizes: readonly MaskSize[],
  wanted: WantedDraw['masks'],
): Announcement['masks'] {
  if (wanted === undefined)
    return sizes.map(({ name, available }) => ({ size: name, masks: Math.max(0, available) }));
  for (const { size: name, masks } of wanted) {
    const available = sizes.find((size) => size.name === name)?.available;
    if (available === undefined) throw new Problem('invalid_field', `There is no size ${name}.`);
    if (masks > available)
      throw new Problem(
        'conflict',
        `Only ${available} of size ${name} are available, not ${masks}.`,
      );
  }
  return wanted;
}

function chooseRandomness({
  source,
  drawAt,
  seed,
  now,
}: {
  source: Randomness['source'];
  drawAt: string | undefined;
  seed: string;
  now: Date;
}): Randomness {
  if (source === 'none') return { source };
  if (source === 'seed') return { source, commitment: hashHex(seed) };
  const notice = Date.parse(drawAt ?? '') - now.getTime();
  if (!(notice >= MIN_NOTICE_MS && notice <= MAX_NOTICE_MS))
    throw new Problem(
      'invalid_field',
      'A round of the beacon needs a time for the draw, a minute to 30 days from now.',
    );
  return { source, round: roundAt(now.getTime() + notice) };
}

/** Rule, masks and source of randomness are fixed and public. */
export const announceDrawOperation: Operation<'announce-draw'> = {
  kind: 'announce-draw',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, wanted) {
    const { announcement, hash } = await announceDraw(transaction, wanted);
    const { number, list_hash } = announcement;
    return {
      effects: { sentences: describe(announcement), counts: countsOf(announcement) },
      summary: `The draw of drop ${number} was announced, with the hash ${hash}.`,
      subject: dropSubject(number),
      details: { list_hash, announcement_hash: hash, randomness: announcement.randomness },
      undo: null,
    };
  },
};

function countsOf({ masks, by_rank, drawn_among }: Announcement) {
  const total = masks.reduce((sum, size) => sum + size.masks, 0);
  return { masks: total, by_rank, drawn_among };
}

function describe({ masks, by_rank, drawn_among, randomness }: Announcement): string[] {
  const { masks: total } = countsOf({ masks, by_rank, drawn_among } as Announcement);
  const sizes = masks.map((size) => `${size.masks} ${size.size}`).join(', ');
  return [
    `${countOf(total, 'mask is', 'masks are')} given: ${sizes}.`,
    by_rank === total
      ? 'All of them go by rank.'
      : `${by_rank} of them go by rank, ${total - by_rank} are drawn among the first ` +
        `${countOf(drawn_among, 'entrant')}.`,
    ...describeRandomness(randomness),
    'This is public at once, and nobody can change it.',
  ];
}

function describeRandomness(randomness: Announcement['randomness']): string[] {
  if (randomness.source === 'none') return [];
  if (randomness.source === 'seed')
    return ['A seed on this server decides; its hash is public, the seed after the draw.'];
  const at = new Date(timeOfRound(randomness.round)).toISOString();
  return [`Round ${randomness.round} of quicknet decides, which is public at ${at}.`];
}
