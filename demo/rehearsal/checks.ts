import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { brand } from '../../brand/brand.ts';
import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import { isPass } from '../../contract/drop/states.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { verifyAudit } from '../../server/changes/audit/verify-audit.ts';
import { listSizes } from '../../server/drop/stock/stock.ts';
import { HOUR_MS, MINUTE_MS } from '../../server/durations.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { runProgram } from '../../test/support/run-program.ts';
import type { ReceivedMail } from '../../test/support/smtp-mailbox.ts';
import type { Stage } from '../stage.ts';
import { findUnfair, isQuietAt, repeated } from './check-rules.ts';
import { OFFER_HOURS, type Played, type PlayedDrop, QUIET } from './play-drops.ts';
import {
  type EntrantRow,
  type MailRow,
  type OfferRow,
  readEntrants,
  readMails,
  readOffers,
} from './rehearsal-store.ts';

export type Check = { readonly what: string; readonly problems: readonly string[] };

const VERIFY_DRAW = fileURLToPath(new URL('../../scripts/drop/verify-draw.ts', import.meta.url));
const PYTHON = fileURLToPath(new URL('../../contract/drop/independent-draw.py', import.meta.url));

type Rehearsed = {
  readonly stage: Stage;
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  readonly played: Played;
};

const check = (what: string, problems: readonly string[]): Check => ({ what, problems });
const unless = (isGood: boolean, problem: string) => (isGood ? [] : [problem]);
const nameOf = ({ member_id: id, state, offered_at: at }: OfferRow) =>
  `That of ${id}, made at ${at.toISOString()}, is ${state}.`;

export async function checkDrops({ stage, url, mails, played }: Rehearsed): Promise<Check[]> {
  const { database } = stage;
  const { sold, outage, mornings, doors, drops } = played;
  const offers = await readOffers(database);
  // A pass that was issued again had no deadline.
  const began = offers.filter(({ mailed_at: mailed }) => mailed !== null);
  const queued = await readMails(database);
  const entrants = await readEntrants(database);
  const taking = offers.filter(({ state }) => state === 'open' || isPass(state));
  const holders = taking.flatMap((one) => (one.drop_number === 1 ? one.member_id : []));
  const orders = offers.flatMap(({ shop_order: order }) => order ?? []);
  const kept = sold.taken.flatMap((one) => (one.isRefunded ? [] : one.reference));
  const read = sold.rows.flatMap(({ payment, reference }) => (payment && reference) ?? []);
  const strange = read.filter((one) => sold.byHand.includes(one));
  const sent = queued.filter(({ outcome }) => outcome === 'sent').length;
  const isLost = (at: Date | null) =>
    at !== null && at.getTime() > outage.from.getTime() + MINUTE_MS && at < outage.until;
  return [
    check('Every answer was the right one', played.wrongAnswers),
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
      ...differenceOf(kept, [...orders, ...sold.byHand]),
      ...strange.map((one) => `${one} is none of the line.`),
      ...unless(sold.stillOpen === 0, 'A checkout is open for nobody.'),
    ]),
    check('Each offer ended in one way', offers.filter((one) => !hasEnded(one)).map(nameOf)),
    check(
      `No offer ended before ${OFFER_HOURS} hours from its mail, nor without a reminder`,
      offers.filter((one) => one.state === 'expired' && !hadItsTime(one)).map(nameOf),
    ),
    check('Without mail no mask was offered, and no offer began', [
      ...unless(outage.unread > 0 && outage.waiting > 0, 'Nothing had to wait.'),
      ...began.filter((one) => isLost(one.offered_at) || isLost(one.mailed_at)).map(nameOf),
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
        doors.arrivals.length === taking.filter(({ state }) => state === 'handed_over').length,
        `${doors.arrivals.length} came in.`,
      ),
    ),
    check('Every mail that was sent has arrived, and none is waiting', [
      ...queued.flatMap(({ kind, outcome }) =>
        unless(outcome === 'sent' || outcome === 'obsolete', `A mail ${kind} is ${outcome}.`),
      ),
      ...unless(sent === mails.length, `${mails.length} have.`),
    ]),
    ...(await Promise.all(drops.map((drop) => checkDraw(url, drop, { offers, queued, entrants })))),
    check('`npm run verify` finds nothing in the line and the audit log', [
      ...(await verifyLine(database, brand)).differences,
      ...[(await verifyAudit(database)).difference ?? []].flat(),
    ]),
  ];
}

type Rows = {
  readonly offers: readonly OfferRow[];
  readonly queued: readonly MailRow[];
  readonly entrants: readonly EntrantRow[];
};

async function checkDraw(url: string, drop: PlayedDrop, rows: Rows): Promise<Check> {
  const isOwn = ({ drop_number: number }: { drop_number: number }) => number === drop.number;
  const offers = rows.offers.filter(isOwn);
  const queued = rows.queued.filter(({ queued_at: at }) => drop.from <= at && at < drop.until);
  const path = url + fillPath(apiPaths.draw, drop.number);
  const record = (await (await fetch(path)).json()) as DrawRecord;
  return check(
    `Drop ${drop.number}: \`npm run verify-draw\` and Python draw the same order, offers ` +
      'followed it, and everybody got their mails, once',
    [
      ...findUnfair(rows.entrants.filter(isOwn), new Set(offers.map((one) => one.member_id))),
      ...checkMails(queued, offers, record),
      ...(await verifyDraw(path, drop)),
      ...drawInPython(record),
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
  return (await listSizes(database)).flatMap(({ name, stock, available }) => {
    const taken = taking.filter(({ size }) => size === name).length;
    return taken + available === stock
      ? []
      : [`Of ${stock} masks in ${name}, ${taken} are with members and ${available} are left.`];
  });
}

function checkMails(
  queued: readonly MailRow[],
  offers: readonly OfferRow[],
  { entrants }: Pick<DrawRecord, 'entrants'>,
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
    ...expectCount('not-chosen', entrants.length - offered.length),
    ...(['offer', 'offer-reminder', 'not-chosen'] as const).flatMap((kind) =>
      repeated(to(kind)).map((id) => `${id} got two mails of kind ${kind}.`),
    ),
    ...disappointed.map((id) => `${id} had an offer, and was told that no mask came.`),
  ];
}

async function verifyDraw(path: string, { announcementHash }: PlayedDrop): Promise<string[]> {
  const words = [process.execPath, VERIFY_DRAW, path, announcementHash];
  const { exitCode, stderr } = await runProgram(words, {});
  return exitCode === 0 ? [] : [stderr];
}

function drawInPython(record: DrawRecord): string[] {
  const { stdout, status } = spawnSync('python3', [PYTHON], {
    input: `${JSON.stringify(record)}\n`,
    encoding: 'utf8',
  });
  if (status !== 0) return ['python3 is missing, or failed.'];
  const { list_hash, announcement_hash, order } = JSON.parse(stdout) as DrawRecord;
  return [
    ...(list_hash === record.list_hash ? [] : ['The list has another hash.']),
    ...(announcement_hash === record.announcement_hash ? [] : ['The announcement has another.']),
    ...(JSON.stringify(order) === JSON.stringify(record.order) ? [] : ['The order differs.']),
  ];
}
