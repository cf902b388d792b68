/** A whole drop, hour by hour: the operator's steps, members who answer or do not, and the shop. */
import { setTimeout as pause } from 'node:timers/promises';
import { seedRandom } from '../../brand/art/seeded-random.ts';
import type { DropView } from '../../contract/drop/drop-views.ts';
import type { ChangeKind } from '../../contract/operator/changes.ts';
import type { OfferFigures } from '../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import { countOf } from '../../server/changes/count-words.ts';
import { listSizes } from '../../server/drop/stock/stock.ts';
import type { ReceivedMail } from '../../test/support/smtp-mailbox.ts';
import type { Joined } from '../play-joins.ts';
import type { Stage } from '../stage.ts';
import { goTo } from '../stage.ts';
import { openAnswers, wishSizes } from './people/member-acts.ts';
import { openMembers } from './people/members.ts';
import { openShop } from './people/shop.ts';
import { hasUnsentMail, isTelling, readOffers } from './rehearsal-store.ts';

export const QUIET = { from: '22:00', until: '08:00' } as const;
const OFFER_HOURS = 12;
const BEGINS_AT = 12;
const MAX_HOURS = 24 * 7;
const CODES = 150;
const MAIL_PATIENCE_MS = 60_000;
/** When some members have passes, others have declined, and most have not answered. */
const PICTURED_AT_HOUR = 4;
const CANCELLED_AT_HOUR = 6;

type Moment = {
  readonly at: Date;
  readonly what: string;
  readonly open: number;
  readonly accepted: number;
  readonly redeemed: number;
  readonly free: number;
};

export type Played = {
  readonly timeline: readonly Moment[];
  /** The hash that members could note before the draw. */
  readonly announcementHash: string;
  readonly answers: number;
  readonly wrongAnswers: readonly string[];
};

export type PlayOptions = {
  readonly stage: Stage;
  readonly url: string;
  readonly members: readonly Joined[];
  readonly mails: readonly ReceivedMail[];
  readonly seed: string;
  /** Real milliseconds that an hour of the drop lasts at least. */
  readonly hourMs: number;
  onState(name: string): Promise<void>;
};

/** Needs a line of members, and moves the clock of the process. */
export async function playDrop(options: PlayOptions): Promise<Played> {
  const { stage, url, members, mails, onState } = options;
  const { database } = stage;
  const seeded = seedRandom(options.seed);
  const random = () => seeded.between(0, 1);
  const clock = openRehearsalClock({ beginsAt: BEGINS_AT, hourMs: options.hourMs });
  const { expectStatus, ...answers } = openAnswers();
  const sizes = (await listSizes(database)).map(({ name }) => name);
  const people = openMembers({ url, members, sizes, mails, random, expectStatus });
  const timeline: Moment[] = [];

  const change = (kind: ChangeKind, input: object = {}) =>
    stage.ask('POST', operatorPaths.changes, { kind, input, reason: 'rehearsal' });
  async function note(what: string): Promise<void> {
    const figures = await stage.ask<OfferFigures>('GET', operatorPaths.offers);
    const { open, accepted, redeemed } = figures;
    const free = (await listSizes(database)).reduce((sum, size) => sum + size.available, 0);
    const at = new Date(clock.now());
    timeline.push({ at, what, open, accepted, redeemed, free });
    console.log(`${at.toISOString().slice(5, 16).replace('T', ' ')}  ${what}`);
  }

  const codes = Array.from({ length: CODES }, (_, index) => `GHOST-${1000 + index}`);
  await change('import-codes', { codes });
  const shopKey = { name: 'shop', scopes: ['redeem'] };
  const { key } = await stage.ask<{ key: string }>('POST', operatorPaths.keys, shopKey);
  const shop = openShop({ url, key, random, expectStatus });
  await note(`${members.length} members are in line, and ${await people.wish()} name sizes`);
  await onState('open');

  await change('freeze-drop', { first: members.length });
  const late = await wishSizes(url, members[0]?.id ?? '', { sizes: [], takes_any: true });
  expectStatus('Naming sizes after the freeze', late, 409);
  await note('The line is frozen, and its list is public');
  await onState('frozen');
  await clock.passHour();
  await change('announce-draw', { by_rank: 50, drawn_among: members.length, source: 'seed' });
  const announced = (await (await fetch(url + apiPaths.drop)).json()) as DropView;
  const announcementHash = announced.announcement_hash ?? '';
  await note(`The draw is announced, with the hash ${announcementHash}`);
  await clock.passHour();
  await change('select-entrants');
  await note('The draw is made, and its seed is public');
  await onState('selected');
  await change('start-offers', {
    minutes: OFFER_HOURS * 60,
    time_zone: 'UTC',
    quiet_from: QUIET.from,
    quiet_until: QUIET.until,
  });
  await note(`Offers stand for ${OFFER_HOURS} hours; quiet from ${QUIET.from} to ${QUIET.until}`);

  for (let hour = 0; hour === 0 || (await areOffersLeft()); hour += 1) {
    if (hour > MAX_HOURS) throw new Error('The drop does not end.');
    await stage.runWork('making offers');
    await settleMail();
    const offers = await readOffers(database);
    const offered = people.notice(offers);
    if (offered > 0) await note(`${countOf(offered, 'member is', 'members are')} offered a mask`);
    if (hour === 0) await onState('offering');
    const answered = await people.answer(offers, clock.now());
    const sold = await shop.sell(offers);
    if (answered + sold > 0)
      await note(
        `${countOf(answered, 'member answers', 'members answer')}, ` +
          `${sold} ${sold === 1 ? 'orders' : 'order'} in the shop`,
      );
    if (hour === PICTURED_AT_HOUR) await onState('answering');
    if (hour === CANCELLED_AT_HOUR) await cancelOne();
    await clock.passHour();
  }
  await note('No offer is open, and the shop has redeemed every pass');

  await change('tell-others');
  while (await isTelling(database)) {
    await stage.runWork('making offers');
    await settleMail();
    if (await isTelling(database)) await clock.passHour();
  }
  await note('Everybody else has been told');
  await change('close-drop');
  await note('The drop is closed');
  await onState('closed');
  return { timeline, announcementHash, answers: answers.count(), wrongAnswers: answers.wrong };

  async function settleMail(): Promise<void> {
    const until = performance.now() + MAIL_PATIENCE_MS;
    while (await hasUnsentMail(database)) {
      if (performance.now() > until) throw new Error('The mails are not sent.');
      await pause(20);
    }
  }

  async function areOffersLeft(): Promise<boolean> {
    const states = (await readOffers(database)).map(({ state }) => state);
    const isFree = (await listSizes(database)).some(({ available }) => available > 0);
    return isFree || states.includes('open') || states.includes('accepted');
  }

  async function cancelOne(): Promise<void> {
    const used = (await readOffers(database)).find(({ state }) => state === 'redeemed');
    if (!used?.code) return;
    await change('cancel-pass', { code: used.code, note: 'Your order was refunded.' });
    await shop.refuse(used.code);
    await change('reissue-pass', { code: used.code });
    await shop.refuse(used.code);
    await note('A pass is cancelled and issued again, with another code');
  }
}

const HOUR_MS = 3_600_000;

type RehearsalClock = {
  now(): number;
  passHour(): Promise<void>;
};

/**
 * Stands at that hour of tomorrow, in UTC. Moves the clock of this process, and so that of the
 * server and the embedded database in it (docs/decisions/0112).
 */
function openRehearsalClock({
  beginsAt,
  hourMs,
}: {
  beginsAt: number;
  hourMs: number;
}): RehearsalClock {
  const trueBegin = Date.now();
  const begin = new Date();
  begin.setUTCHours(24 + beginsAt, 0, 0, 0);
  let now = begin.getTime();
  // The sweep of the offers would take an hour that durations lack for a leap of the clock.
  const measure = performance.now.bind(performance);
  let passedMs = 0;
  performance.now = () => measure() + passedMs;
  const measuredBegin = measure();
  const set = () => goTo(trueBegin + (measure() - measuredBegin) - now);
  set();
  return {
    now: () => now,
    async passHour() {
      now += HOUR_MS;
      passedMs += HOUR_MS;
      set();
      await pause(hourMs);
    },
  };
}
