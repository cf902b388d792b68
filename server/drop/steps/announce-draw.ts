import { randomBytes } from 'node:crypto';
import { hashAnnouncement, hashEntered, hashHex } from '../../../contract/drop/draw-hash-rules.ts';
import { ruleProblem } from '../../../contract/drop/draw-order-rules.ts';
import type { Amendment, Announcement, Randomness } from '../../../contract/drop/draw-record.ts';
import { roundAt, timeOfRound } from '../../../contract/drop/randomness-rules.ts';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { MaskSize } from '../../../contract/operator/masks.ts';
import { assertReason } from '../../access/audit/record-audit.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { conflict, invalidField } from '../../problem.ts';
import { changeOf, lockDropIn, readNow, updateDrop } from '../drop-store.ts';
import { countEntrants } from '../entrant-store.ts';
import { countOffers, countPasses } from '../offers/offer-store.ts';
import { describeTime, noticeProblem, readMoment } from '../schedule/schedule-rules.ts';
import { markDone } from '../schedule/schedule-store.ts';
import { findSize } from '../stock/size-rules.ts';
import { listSizes } from '../stock/store.ts';
import { closeWindow } from '../till/entries.ts';
import { drawProblem } from '../till/entry-rules.ts';

/** Members must have time to note the hash before the round is public. */
const MIN_NOTICE_MIN = 1;
const SEED_BYTES = 32;

type WantedDraw = ChangeInput<'announce-draw'>;

/** Fixes and publishes everything that decides who is chosen; it never changes afterwards. */
export const announceDrawOperation: Operation<'announce-draw'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, wanted) {
    const drop = await lockDropIn(transaction, 'frozen');
    const { number, list_hash, announced_at } = drop;
    if (announced_at !== null || list_hash === null)
      throw conflict(`The draw of drop ${number} is announced already.`);
    const now = await readNow({ kysely: transaction });
    const seed = randomBytes(SEED_BYTES).toString('hex');
    const late = drawProblem(drop, wanted.source === 'quicknet' ? readMoment(wanted.draw_at) : now);
    if (late !== null) throw conflict(late);
    const { entered } = await closeWindow(transaction, drop, now);
    const masks = chooseMasks(await listSizes({ kysely: transaction }), wanted.masks);
    const total = masks.reduce((sum, size) => sum + size.masks, 0);
    const { entrants } = await countEntrants({ kysely: transaction }, number);
    const { by_rank = 0, drawn_among = by_rank === total ? 0 : entrants } = wanted;
    const announcement: Announcement = {
      number,
      list_hash,
      masks,
      by_rank,
      drawn_among,
      randomness: chooseRandomness(wanted, seed, now),
      announced_at: now.toISOString(),
      ...(entered && { entered_hash: hashEntered(entered) }),
    };
    const problem = ruleProblem(announcement, entrants);
    if (problem !== null) throw invalidField(problem);
    const hash = hashAnnouncement(announcement);
    await updateDrop(transaction, number, {
      announced_at: now,
      announcement: JSON.stringify(announcement),
      announcement_hash: hash,
      evidence: wanted.source === 'seed' ? seed : null,
    });
    await markDone(transaction, number, 'announce-draw');
    return changeOf(number, {
      sentences: [
        ...(entered
          ? [`${countOf(entered.length, 'entrant')} entered by card, and only they take part.`]
          : []),
        ...describe(announcement, total, entered?.length ?? entrants),
      ],
      counts: { masks: total, by_rank, drawn_among },
      summary: `The draw of drop ${number} was announced, with the hash ${hash}.`,
      details: { list_hash, announcement_hash: hash, randomness: announcement.randomness },
    });
  },
};

function chooseMasks(
  sizes: readonly MaskSize[],
  wanted: WantedDraw['masks'],
): Announcement['masks'] {
  if (wanted === undefined)
    return sizes.map(({ name, available }) => ({ size: name, masks: Math.max(0, available) }));
  for (const { size: name, masks } of wanted) {
    const available = sizes.find((size) => size.name === name)?.available;
    if (available === undefined) throw invalidField(`There is no size ${name}.`);
    if (masks > available)
      throw conflict(`Only ${available} of size ${name} are available, not ${masks}.`);
  }
  return wanted;
}

function chooseRandomness(
  { source, draw_at: drawAt }: WantedDraw,
  seed: string,
  now: Date,
): Randomness {
  if (source === 'none') return { source };
  if (source === 'seed') return { source, commitment: hashHex(seed) };
  const problem = noticeProblem(now, drawAt, MIN_NOTICE_MIN);
  if (problem !== null) throw invalidField(problem);
  return { source, round: roundAt(readMoment(drawAt).getTime()) };
}

function describe(
  { masks, by_rank, drawn_among, randomness }: Announcement,
  total: number,
  entrants: number,
): string[] {
  // Whoever goes by rank is among the first who are drawn, as long as all take any size.
  const reached = Math.min(entrants, by_rank === total ? total : Math.max(by_rank, drawn_among));
  const sizes = masks.map((size) => `${size.masks} ${size.size}`).join(', ');
  return [
    `${countOf(total, 'mask is', 'masks are')} given: ${sizes}.`,
    by_rank === total
      ? 'All of them go by rank.'
      : (by_rank === 0
          ? 'All of them are drawn among the first '
          : `${by_rank} of them go by rank, ${total - by_rank} are drawn among the first `) +
        `${countOf(drawn_among, 'entrant')}, by the weight of each ticket.`,
    ...(reached < total
      ? [`Too few entrants: about ${countOf(total - reached, 'mask')} would reach nobody.`]
      : []),
    ...describeRandomness(randomness),
    'This is public at once, and nobody can change it.',
  ];
}

function describeRandomness(randomness: Randomness): string[] {
  if (randomness.source === 'none') return [];
  if (randomness.source === 'seed')
    return ['A seed on this server decides; its hash is public, the seed after the draw.'];
  const at = describeTime(new Date(timeOfRound(randomness.round)), 'UTC');
  return [`Round ${randomness.round} of quicknet decides. It is public on ${at}.`];
}

export const amendDrawOperation: Operation<'amend-draw'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { size: name, masks, public_reason: reason }) {
    assertReason(reason);
    const drop = await lockDropIn(transaction, 'frozen', 'selected', 'offering');
    const { number, announcement } = drop;
    if (announcement === null) throw conflict(`The draw of drop ${number} is not announced yet.`);
    const amendments = drop.amendments ?? [];
    const announced = amendments.at(-1)?.masks ?? announcement.masks;
    const before = announced.find((announcedSize) => announcedSize.size === name)?.masks;
    if (before === undefined)
      throw invalidField(`No number of a size ${JSON.stringify(name)} is announced.`);
    const database = { kysely: transaction };
    const { available } = findSize(await listSizes(database), name);
    const offers = (await countOffers(database, number)).get(name);
    const taken = offers ? offers.open + countPasses(offers) : 0;
    if (masks < taken || masks > taken + available || masks === before)
      throw conflict(
        `Of size ${name}, ${taken} are offered or given, ${before} announced, and ` +
          `${taken + available} in stock for this drop: choose another number between them.`,
      );
    const amendment: Amendment = {
      amended_at: (await readNow(database)).toISOString(),
      masks: announced.map((announcedSize) =>
        announcedSize.size === name ? { size: name, masks } : announcedSize,
      ),
      reason,
    };
    await updateDrop(transaction, number, {
      amendments: JSON.stringify([...amendments, amendment]),
    });
    return changeOf(number, {
      sentences: [
        `${countOf(masks, 'mask')} of size ${name} ${masks === 1 ? 'is' : 'are'} given, ` +
          `instead of ${before}.`,
        `The page of the draw says so at once, for good, with your words: ${reason}`,
        'The announcement, its hash and the order of the draw stay.',
      ],
      counts: { before, after: masks },
      summary: `${countOf(masks, 'mask')} of size ${name} instead of ${before} in drop ${number}.`,
      details: { size: name, before, after: masks },
    });
  },
};
