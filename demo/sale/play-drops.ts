import { seedRandom } from '../../brand/art/seeded-random.ts';
import type { DropView } from '../../contract/drop/drop-views.ts';
import type { ChangeKind } from '../../contract/operator/changes.ts';
import type { DropFacts } from '../../contract/operator/drop/drop-facts.ts';
import type { Money } from '../../contract/operator/drop/till.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths } from '../../contract/paths.ts';
import { countOf } from '../../server/changes/count-words.ts';
import { KEEP_UNDELIVERED_S, MAIL_QUEUE } from '../../server/db/schema/queue-schema.ts';
import { listSizes } from '../../server/drop/stock/store.ts';
import type { ReceivedMail } from '../../test/support/smtp-mailbox.ts';
import { stripeTill } from '../../test/support/stripe-at-hand.ts';
import { openHourClock } from '../clock.ts';
import { DEAD_DOMAIN, DOMAINS } from '../past/draw-joins.ts';
import { openAnswers } from '../people/answers.ts';
import { openBuyers } from '../people/buyers.ts';
import { letIn } from '../people/doors.ts';
import { openMembers } from '../people/members.ts';
import type { Stage } from '../stage.ts';
import { countOfferable, readOffers } from '../store.ts';

export const QUIET = { from: '22:00', until: '08:00' } as const;
export const OFFER_HOURS = 12;
const PAY_HOURS = 12;
const PRICE_CENTS = 9_900;
const MAX_HOURS = 24 * 7;
const FIRST_SHARE = 0.8;
const DOOR_OPENS = '18:00';
const CANCELLED_FROM_HOUR = 6;

export type Played = Awaited<ReturnType<typeof playDrops>>;

type PlayOptions = {
  readonly stage: Stage;
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  readonly seed: string;
  /** Real milliseconds that an hour of a drop lasts at least. */
  readonly hourMs: number;
};

/** Sells the first drop by a till and hands the second over at doors. Moves the clock onwards. */
export async function playDrops({ stage, url, mails, seed, hourMs }: PlayOptions) {
  const { database } = stage;
  await stage.settleMail();
  // The checks count the mails of a week, while sent ones are usually deleted after three days.
  await database.runSql('update pgboss.queue set deletion_seconds = $1 where name = $2', [
    KEEP_UNDELIVERED_S,
    MAIL_QUEUE,
  ]);
  const mailsBefore = mails.length;
  const clock = openHourClock(hourMs);
  const from = new Date(clock.now());
  const random = seedRandom(`${seed} drops`);
  const answers = openAnswers();
  const people = openMembers({ url, mails, random, answers });
  const buyers = openBuyers({ url, tokenOf: people.tokenOf, random, answers });
  const line = database.kysely.selectFrom('member').select('id').orderBy('sequence');
  const members = (await line.execute()).map(({ id }) => id);
  const mornings: { free: number; made: number }[] = [];
  let hasCancelled = false;

  const change = (kind: ChangeKind, input: object = {}) =>
    stage.ask('POST', operatorPaths.changes, { kind, input, reason: 'rehearsal' });
  const readFacts = () => stage.ask<DropFacts>('GET', operatorPaths.drop);
  const sell = () => stage.runWork('selling masks');
  const note = (what: string) =>
    console.log(`${new Date(clock.now()).toISOString().slice(5, 16).replace('T', ' ')}  ${what}`);

  note(`${members.length} members are in line, and ${await people.wish(members)} name sizes`);
  await change('set-till', stripeTill(PRICE_CENTS));
  const drops = [await playDrop(1)];
  await change('set-till', { link: { reports: false } });
  await change('open-drop');
  drops.push(await playDrop(2));
  const { rows } = await stage.ask<Money>('GET', operatorPaths.money);
  const handedOver = await openDoors();
  await stage.settleMail();
  const arrived = mails.length - mailsBefore;
  const money = { ...buyers.sold(), rows };
  return { from, members, drops, mornings, handedOver, arrived, money, answers, people };

  async function playDrop(number: number) {
    const begin = new Date(clock.now());
    const terms = { losses_count: true, domains: [...DOMAINS, DEAD_DOMAIN] };
    await change('freeze-drop', { first: members.length, ...terms });
    const { entrants } = (await readFacts()).entrants;
    note(`The line is frozen, and its list is public: ${countOf(entrants, 'entrant')}`);
    await clock.passHour();
    const masks = (await listSizes(database)).map(({ name, available }) => ({
      size: name,
      masks: number === 1 ? Math.floor(available * FIRST_SHARE) : available,
    }));
    const byRank = Math.floor(masks.reduce((sum, size) => sum + size.masks, 0) / 2);
    const rule = { by_rank: byRank, drawn_among: entrants, source: 'seed' };
    await change('announce-draw', { masks, ...rule });
    const announced = (await (await fetch(url + apiPaths.drop)).json()) as DropView;
    const announcementHash = announced.announcement_hash ?? '';
    note(`The draw is announced, with the hash ${announcementHash}`);
    await clock.passHour();
    await change('select-entrants');
    note('The draw is made, and its seed is public');
    await change('start-offers', {
      minutes: OFFER_HOURS * 60,
      pay_hours: PAY_HOURS,
      time_zone: 'UTC',
      quiet_from: QUIET.from,
      quiet_until: QUIET.until,
    });
    note(`Offers stand for ${OFFER_HOURS} hours; quiet from ${QUIET.from} to ${QUIET.until}`);
    for (let hour = 0; hour === 0 || (await areOffersLeft(number)); hour += 1) {
      if (hour > MAX_HOURS) throw new Error(`No end: ${JSON.stringify(await readFacts())}`);
      await playHour(number, hour);
      await clock.passHour();
    }
    await sell();
    note(number === 1 ? 'No offer is open, and each pass is paid' : 'No offer is open');
    await change('tell-others');
    do {
      await stage.runWork('making offers');
      await stage.settleMail();
      await clock.passHour();
    } while ((await readFacts()).others === 'being-told');
    await change('close-drop');
    note(`Everybody else has been told, and drop ${number} is closed`);
    return { number, from: begin, until: new Date(clock.now()), announcementHash };
  }

  async function playHour(number: number, hour: number): Promise<void> {
    const free = await countOfferable(database, number);
    const before = await readOffers(database);
    await stage.runWork('making offers');
    await stage.settleMail();
    const made = (await readOffers(database)).length - before.length;
    if (clock.time() === QUIET.until) mornings.push({ free, made });
    if (made > 0) note(`${countOf(made, 'member is', 'members are')} offered a mask`);
    const answered = await people.answer(clock.now());
    if (answered > 0) note(countOf(answered, 'member answers', 'members answer'));
    if (number !== 1) return;
    await sell();
    const paid = await buyers.buy(await readOffers(database));
    await sell();
    if (paid > 0) note(countOf(paid, 'member pays', 'members pay'));
    if (hour >= CANCELLED_FROM_HOUR && !hasCancelled) await cancelWhilePaying();
  }

  async function areOffersLeft(number: number): Promise<boolean> {
    const dropOffers = (await readOffers(database)).filter(
      ({ drop_number: drop }) => drop === number,
    );
    const waiting = number === 1 ? ['open', 'accepted'] : ['open'];
    if (dropOffers.some(({ state }) => waiting.includes(state))) return true;
    return (await countOfferable(database, number)) > 0;
  }

  async function cancelWhilePaying(): Promise<void> {
    const accepted = (await readOffers(database)).filter(({ state }) => state === 'accepted');
    for (const pass of accepted) {
      if ((await buyers.pay(pass)) === null) continue;
      await change('cancel-pass', { code: pass.code, note: 'You asked us to.' });
      await sell();
      await change('reissue-pass', { code: pass.code });
      buyers.payByHand();
      hasCancelled = true;
      return note(
        'A pass is cancelled while it is paid: the money goes back, and another pass is issued',
      );
    }
  }

  async function openDoors(): Promise<number> {
    while (clock.time() !== DOOR_OPENS) await clock.passHour();
    const offers = await readOffers(database);
    const passes = offers.filter(({ state }) => state === 'accepted');
    const came = await letIn({ url, ask: stage.ask, random, answers }, passes);
    note(`${countOf(came, 'mask is', 'masks are')} handed over at the doors`);
    return came;
  }
}
