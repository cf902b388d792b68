import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import { isPass } from '../../contract/drop/states.ts';
import { verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { verifyAudit } from '../../server/changes/audit/verify-audit.ts';
import { listSizes } from '../../server/drop/stock/store.ts';
import { HOUR_MS, MINUTE_MS } from '../../server/durations.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { DEAD_DOMAIN } from '../past/draw-joins.ts';
import type { Stage } from '../stage.ts';
import {
  type EntrantRow,
  type MailRow,
  type OfferRow,
  readConfirmed,
  readEntrants,
  readMails,
  readOffers,
} from '../store.ts';
import { findUnfair, isQuietAt, repeated } from './check-rules.ts';
import { OFFER_HOURS, type Played, type PlayedDrop, QUIET } from './play-drops.ts';

type Check = { readonly what: string; readonly problems: readonly string[] };

type Told = { readonly stage: Stage; readonly url: string; readonly played: Played };

const check = (what: string, problems: readonly string[]): Check => ({ what, problems });
const unless = (isGood: boolean, problem: string) => (isGood ? [] : [problem]);
const nameOf = ({ member_id: id, state, offered_at: at }: OfferRow) =>
  `That of ${id}, made at ${at.toISOString()}, is ${state}.`;

/** Whether masks, money, mails and doors of the drops add up, each with what does not. */
export async function checkDrops({ stage, url, played }: Told): Promise<Check[]> {
  const { database } = stage;
  const { money, outage, mornings, members, drops, handedOver, arrived } = played;
  const offers = await readOffers(database);
  // A pass that was issued again had no deadline.
  const began = offers.filter(({ mailed_at: mailed }) => mailed !== null);
  const queued = await readMails(database, played.from);
  const entrants = await readEntrants(database);
  const confirmed = await readConfirmed(database);
  const taking = offers.filter(({ state }) => state === 'open' || isPass(state));
  const holders = taking.flatMap((one) => (one.drop_number === 1 ? one.member_id : []));
  const orders = offers.flatMap(({ shop_order: order }) => order ?? []);
  const read = money.rows.flatMap(({ payment, reference }) => (payment && reference) ?? []);
  const strange = read.filter((one) => money.byHand.includes(one));
  // An offer to an address that gets no mail begins at once.
  const silenced = queued.flatMap((one) => (outcomeFor(one) === 'sent' ? [] : one.member_id));
  const mailed = began.filter(({ member_id: id }) => !silenced.includes(id));
  const sent = queued.filter(({ outcome }) => outcome === 'sent').length;
  const isLost = (at: Date | null) =>
    at !== null && at.getTime() > outage.from.getTime() + MINUTE_MS && at < outage.until;
  return [
    check('Every answer was the right one', played.answers.wrong),
    check(
      'The masks of each size are those with members and those left',
      await checkMasks(stage, taking),
    ),
    check(
      'Nobody has two masks, and no code or order is used twice',
      [
        taking.map(({ member_id: id }) => id),
        offers.flatMap(({ code }) => code ?? []),
        orders,
      ].flatMap((all) => repeated(all).map((twice) => `${twice} is there twice.`)),
    ),
    check('The payments kept are those of the paid passes, and no sale by hand was read', [
      ...differenceOf(money.kept, [...orders, ...money.byHand]),
      ...strange.map((one) => `${one} is none of the line.`),
      ...unless(money.stillOpen === 0, 'A checkout is open for nobody.'),
    ]),
    check('Each offer ended in one way', offers.filter((one) => !hasEnded(one)).map(nameOf)),
    check(
      `No offer ended before ${OFFER_HOURS} hours from its mail, nor without a reminder`,
      offers.filter((one) => one.state === 'expired' && !hadItsTime(one)).map(nameOf),
    ),
    check('Without mail no mask was offered, and no offer began', [
      ...unless(outage.unread > 0 && outage.waiting > 0, 'Nothing had to wait.'),
      ...began.filter((one) => isLost(one.offered_at)).map(nameOf),
      ...mailed.filter((one) => isLost(one.mailed_at)).map(nameOf),
    ]),
    check(
      `No offer was mailed or ended from ${QUIET.from} to ${QUIET.until}`,
      [
        ...queued.flatMap(({ kind, queued_at: at }) => (/offer|chosen/.test(kind) ? at : [])),
        ...began.map(({ expires_at: at }) => at),
      ].flatMap((at) => unless(!isQuietAt(at, QUIET), `One was at ${at.toISOString()}.`)),
    ),
    check('Offers went on as soon as the quiet hours ended', [
      ...unless(
        mornings.some(({ made }) => made > 0),
        'None did.',
      ),
      ...mornings.flatMap(({ free, made }) =>
        unless(free === 0 || made > 0, `${free} masks were free, and none was offered.`),
      ),
    ]),
    check(
      'Who has a mask of the first drop was left out of the second',
      entrants.flatMap(({ drop_number: drop, member_id: id }) =>
        unless(drop === 1 || !holders.includes(id), `${id} was not.`),
      ),
    ),
    check(
      'Each mask that was handed over at a door is of somebody who came, and no other is',
      unless(
        handedOver === taking.filter(({ state }) => state === 'handed_over').length,
        `${handedOver} came in.`,
      ),
    ),
    check('Every mail was sent, unless its member gets none, and has arrived', [
      ...queued
        .filter((one) => one.outcome !== 'obsolete' && one.outcome !== outcomeFor(one))
        .map((one) => `A mail ${one.kind} is ${one.outcome}, not ${outcomeFor(one)}.`),
      ...unless(sent === arrived, `${sent} were sent, and ${arrived} have arrived.`),
    ]),
    check(
      'Each mail of an offer has its link',
      mailed.filter(({ email }) => played.people.tokenOf(email) === null).map(nameOf),
    ),
    ...(await Promise.all(
      drops.map((drop) => {
        const free = members.filter(
          (id) => confirmed.has(id) && (drop.number === 1 || !holders.includes(id)),
        );
        return checkDraw(url, drop, { offers, queued, entrants, members: free });
      }),
    )),
    check('`npm run verify` finds nothing in the line and the audit log', [
      ...(await verifyLine(database)).differences,
      ...[(await verifyAudit(database)).difference ?? []].flat(),
    ]),
  ];
}

type Rows = {
  readonly offers: readonly OfferRow[];
  readonly queued: readonly MailRow[];
  readonly entrants: readonly EntrantRow[];
  /** Members in line who have confirmed, and have no mask of an earlier drop. */
  readonly members: readonly string[];
};

async function checkDraw(url: string, drop: PlayedDrop, rows: Rows): Promise<Check> {
  const isOwn = ({ drop_number: number }: { drop_number: number }) => number === drop.number;
  const offers = rows.offers.filter(isOwn);
  const queued = rows.queued.filter(({ queued_at: at }) => drop.from <= at && at < drop.until);
  const answer = await fetch(url + fillPath(apiPaths.draw, drop.number));
  const record = (await answer.json()) as DrawRecord;
  return check(
    `Drop ${drop.number}: anybody draws the same order, offers followed it, and everybody got ` +
      'their mails, once',
    [
      ...findUnfair(rows.entrants.filter(isOwn), new Set(offers.map((one) => one.member_id))),
      ...checkMails(queued, offers, rows.members),
      ...verifyDraw(record, drop.announcementHash).problems,
    ],
  );
}

function differenceOf(found: readonly string[], wanted: readonly string[]): string[] {
  return [
    ...found.filter((one) => !wanted.includes(one)).map((one) => `${one} is too much.`),
    ...wanted.filter((one) => !found.includes(one)).map((one) => `${one} is missing.`),
  ];
}

function hasEnded({ state, code, drop_number: drop }: OfferRow): boolean {
  const hasNoPass = state === 'declined' || state === 'expired';
  const isWaiting = state === 'open' || (state === 'accepted' && drop === 1);
  return !isWaiting && hasNoPass === (code === null);
}

function hadItsTime({ mailed_at: mailed, reminded_at: reminded, expires_at: end }: OfferRow) {
  if (mailed === null || reminded === null) return false;
  return end.getTime() - mailed.getTime() >= OFFER_HOURS * HOUR_MS;
}

async function checkMasks({ database }: Stage, taking: readonly { size: string }[]) {
  return (await listSizes(database)).flatMap(({ name, stock, allocated, available }) => {
    const taken = taking.filter(({ size }) => size === name).length;
    const found = `${taken} are with members, ${allocated} allocated and ${available} left`;
    return unless(taken + allocated + available === stock, `Of ${stock} in ${name}, ${found}.`);
  });
}

/** Who stopped mail still gets what an offer brings with it. */
function outcomeFor({ kind, email, suppression }: MailRow): string {
  const isNews = kind === 'not-chosen';
  if (suppression !== null && (isNews || suppression !== 'stopped')) return 'suppressed';
  return email.endsWith(`@${DEAD_DOMAIN}`) ? 'refused' : 'sent';
}

function checkMails(
  queued: readonly MailRow[],
  offers: readonly OfferRow[],
  members: readonly string[],
): string[] {
  const offered = [...new Set(offers.map(({ member_id: id }) => id))];
  const of = (kind: string) => queued.filter((mail) => mail.kind === kind);
  const to = (kind: string) => of(kind).map(({ member_id: id }) => id);
  const expectCount = (kind: string, wanted: number) =>
    of(kind).length === wanted ? [] : [`${of(kind).length} mails of kind ${kind}, not ${wanted}.`];
  const disappointed = to('not-chosen').filter((id) => offered.includes(id));
  return [
    ...expectCount('offer', offered.length),
    ...expectCount('pass', offers.filter(({ code }) => code !== null).length),
    ...expectCount('not-chosen', members.filter((id) => !offered.includes(id)).length),
    ...(['offer', 'offer-reminder', 'not-chosen'] as const).flatMap((kind) =>
      repeated(to(kind)).map((id) => `${id} got two mails of kind ${kind}.`),
    ),
    ...disappointed.map((id) => `${id} had an offer, and was told that no mask came.`),
  ];
}
