import { setTimeout as pause } from 'node:timers/promises';
import { seedRandom } from '../../brand/art/seeded-random.ts';
import type { DropView } from '../../contract/drop/drop-views.ts';
import type { ChangeKind, ChangePreview } from '../../contract/operator/changes.ts';
import type { DropFacts } from '../../contract/operator/drop/drop-facts.ts';
import type { Money } from '../../contract/operator/drop/till.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import { countOf } from '../../server/changes/count-words.ts';
import { listSizes } from '../../server/drop/stock/stock.ts';
import { HOUR_MS } from '../../server/durations.ts';
import type { ReceivedMail } from '../../test/support/smtp-mailbox.ts';
import type { Joined } from '../play-joins.ts';
import type { Stage } from '../stage.ts';
import { openBuyers, STRIPE_TILL } from './people/buyers.ts';
import { type Doors, letIn } from './people/doors.ts';
import { openAnswers, wishSizes } from './people/member-acts.ts';
import { openMembers } from './people/members.ts';
import { openRehearsalClock } from './rehearsal-clock.ts';
import { hasUnsentMail, readOffers } from './rehearsal-store.ts';

export const QUIET = { from: '22:00', until: '08:00' } as const;
export const OFFER_HOURS = 12;
const PAY_HOURS = 12;
const BEGINS_AT = 12;
const MAX_HOURS = 24 * 7;
const FIRST_SHARE = 0.8;
const DOOR_OPENS = '18:00';
const PATIENCE_MS = 60_000;
const POLL_MS = 20;
/** The mail server goes once a mask is free then, and for so long that one more comes back. */
const AWAY_FROM_HOUR = 3;
const AWAY_HOURS = 2;
const CANCELLED_FROM_HOUR = 6;

export type Played = Awaited<ReturnType<typeof playDrops>>;
export type PlayedDrop = Played['drops'][number];

export type PlayOptions = {
  readonly stage: Stage;
  readonly url: string;
  readonly members: readonly Joined[];
  readonly mailServer: {
    readonly mails: readonly ReceivedMail[];
    start(): Promise<void>;
    stop(): Promise<void>;
  };
  readonly seed: string;
  /** Real milliseconds that an hour of a drop lasts at least. */
  readonly hourMs: number;
};

/** Needs a line of members, and moves the clock of the process. */
export async function playDrops(options: PlayOptions) {
  const { stage, url, members, mailServer } = options;
  const { database } = stage;
  const seeded = seedRandom(options.seed);
  const random = () => seeded.between(0, 1);
  const clock = openRehearsalClock({ beginsAt: BEGINS_AT, hourMs: options.hourMs });
  const answers = openAnswers();
  const names = (await listSizes(database)).map(({ name }) => name);
  const { mails } = mailServer;
  const people = openMembers({ url, members, sizes: names, mails, random, answers });
  const buyers = openBuyers({ url, tokenOf: people.tokenOf, random, answers });
  const timeline: { at: Date; what: string }[] = [];
  const mornings: { free: number; made: number }[] = [];
  let awaySince: number | null = null;
  const outages: { from: Date; until: Date; unread: number; waiting: number }[] = [];

  const change = (kind: ChangeKind, input: object = {}) =>
    stage.ask('POST', operatorPaths.changes, { kind, input, reason: 'rehearsal' });
  const readFacts = () => stage.ask<DropFacts>('GET', operatorPaths.drop);
  const readMoney = () => stage.ask<Money>('GET', operatorPaths.money);
  const sell = () => stage.runWork('selling masks');
  const countFree = async () => (await listSizes(database)).reduce((sum, one) => sum + one.held, 0);

  function note(what: string): void {
    const at = new Date(clock.now());
    timeline.push({ at, what });
    console.log(`${at.toISOString().slice(5, 16).replace('T', ' ')}  ${what}`);
  }

  note(`${members.length} members are in line, and ${await people.wish()} name sizes`);
  await change('set-till', STRIPE_TILL);
  const drops = [await playDrop(1)];
  await change('set-till', { link: { reports: false } });
  await change('open-drop');
  drops.push(await playDrop(2));
  const sold = buyers.sold(await readMoney());
  const doors = await openDoors();
  const { wrong: wrongAnswers } = answers;
  const [outage] = outages;
  if (outage === undefined) throw new Error('The mail server was never away.');
  return {
    ...{ timeline, drops, sold, doors, outage, mornings },
    ...{ answers: answers.count(), wrongAnswers },
  };

  async function playDrop(number: number) {
    const from = new Date(clock.now());
    await change('freeze-drop', { first: members.length, losses_count: true });
    const late = await wishSizes(url, members[0]?.id ?? '', { sizes: [], takes_any: true });
    answers.expectStatus('Naming sizes after the freeze', late, 409);
    const { entrants } = (await readFacts()).entrants;
    const away = members.length - entrants;
    note(
      `The line is frozen, and its list is public: ${countOf(entrants, 'entrant')}` +
        (away === 0 ? '' : `, without ${countOf(away, 'holder')} of a mask`),
    );
    await clock.passHour();
    const masks = (await listSizes(database)).map(({ name, available }) => ({
      size: name,
      masks: number === 1 ? Math.floor(available * FIRST_SHARE) : available,
    }));
    const byRank = Math.floor(masks.reduce((sum, one) => sum + one.masks, 0) / 2);
    const rule = { by_rank: byRank, drawn_among: entrants, source: 'seed' };
    await change('announce-draw', { masks, ...rule });
    const announced = (await (await fetch(url + apiPaths.drop)).json()) as DropView;
    const announcementHash = announced.announcement_hash ?? '';
    note(`The draw is announced, with the hash ${announcementHash}`);
    await clock.passHour();
    await change('select-entrants');
    note('The draw is made, and its seed is public');
    const preview = await startOffers();
    for (let hour = 0; hour === 0 || (await areOffersLeft(number)); hour += 1) {
      if (hour > MAX_HOURS) throw new Error('The drop does not end.');
      await playHour(number, hour);
      await clock.passHour();
    }
    await sell();
    note(number === 1 ? 'No offer is open, and each pass is paid' : 'No offer is open');
    await change('tell-others');
    do {
      await stage.runWork('making offers');
      await settleMail();
      await clock.passHour();
    } while ((await readFacts()).others === 'being-told');
    await change('close-drop');
    note(`Everybody else has been told, and drop ${number} is closed`);
    return { number, from, until: new Date(clock.now()), announcementHash, preview };
  }

  async function startOffers(): Promise<ChangePreview> {
    const input = {
      ...{ minutes: OFFER_HOURS * 60, pay_hours: PAY_HOURS, time_zone: 'UTC' },
      ...{ quiet_from: QUIET.from, quiet_until: QUIET.until },
    };
    const wanted = { kind: 'start-offers', input };
    const preview = await stage.ask<ChangePreview>('POST', operatorPaths.previewChange, wanted);
    await change('start-offers', input);
    note(`Offers stand for ${OFFER_HOURS} hours; quiet from ${QUIET.from} to ${QUIET.until}`);
    return preview;
  }

  async function playHour(number: number, hour: number): Promise<void> {
    const isFirst = number === 1;
    const free = await countFree();
    if (awaySince !== null) await untilOfferingWaits();
    if (awaySince !== null && clock.now() - awaySince >= AWAY_HOURS * HOUR_MS && free > 0)
      await endOutage(awaySince, free);
    if (isFirst && outages.length === 0 && !awaySince && hour >= AWAY_FROM_HOUR && free > 0) {
      await mailServer.stop();
      awaySince = clock.now();
    }
    const isAway = awaySince !== null;
    await stage.runWork('making offers');
    if (!isAway) await settleMail();
    const offers = await readOffers(database);
    const made = people.notice(offers);
    if (clock.time() === QUIET.until) mornings.push({ free, made });
    if (made > 0) note(`${countOf(made, 'member is', 'members are')} offered a mask`);
    const answered = await people.answer(offers, clock.now());
    if (answered > 0) note(countOf(answered, 'member answers', 'members answer'));
    if (isAway) await untilOfferingWaits();
    if (!isFirst) return;
    buyers.disturb();
    await sell();
    const paid = await buyers.buy(await readOffers(database));
    await sell();
    if (paid > 0) note(countOf(paid, 'member pays', 'members pay'));
    if (hour >= CANCELLED_FROM_HOUR && !hasCancelled()) await cancelWhilePaying();
  }

  async function endOutage(since: number, waiting: number): Promise<void> {
    const { unmailed: unread } = await readFacts();
    outages.push({ from: new Date(since), until: new Date(clock.now()), unread, waiting });
    awaySince = null;
    await mailServer.start();
    await settleMail();
    note(
      `The mail server is back: ${countOf(unread, 'offer begins', 'offers begin')} only now, and ` +
        `${countOf(waiting, 'mask')} waited`,
    );
  }

  async function untilOfferingWaits(): Promise<void> {
    await until('The server sees that no mail leaves', async () => {
      return (await readFacts()).waits_for === 'mail';
    });
  }

  async function settleMail(): Promise<void> {
    await until('The mails are sent', async () => !(await hasUnsentMail(database)));
  }

  async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await isSo())) {
      if (performance.now() > deadline) throw new Error(`This does not happen: ${what}.`);
      await pause(POLL_MS);
    }
  }

  async function areOffersLeft(number: number): Promise<boolean> {
    const own = (await readOffers(database)).filter(({ drop_number: drop }) => drop === number);
    const waiting = number === 1 ? ['open', 'accepted'] : ['open'];
    if (own.some(({ state }) => waiting.includes(state))) return true;
    return (await countFree()) > 0 && (await readFacts()).following > 0;
  }

  function hasCancelled(): boolean {
    return timeline.some(({ what }) => what.startsWith('A pass is cancelled'));
  }

  async function cancelWhilePaying(): Promise<void> {
    const accepted = (await readOffers(database)).filter(({ state }) => state === 'accepted');
    for (const pass of accepted) {
      if ((await buyers.pay(pass)) === null) continue;
      await change('cancel-pass', { code: pass.code, note: 'You asked us to.' });
      await sell();
      await change('reissue-pass', { code: pass.code });
      buyers.payByHand();
      return note(
        'A pass is cancelled while it is paid: the money goes back, and another pass is issued',
      );
    }
  }

  async function openDoors(): Promise<Doors> {
    while (clock.time() !== DOOR_OPENS) await clock.passHour();
    const offers = await readOffers(database);
    const passes = offers.filter(({ state }) => state === 'accepted');
    const paid = offers.find(({ state }) => state === 'paid');
    const people = { url, ask: stage.ask, random, answers };
    const doors = await letIn(people, passes, { paid, drop: 2 });
    note(`${countOf(doors.arrivals.length, 'member')} of ${passes.length} came to the doors`);
    return doors;
  }
}
