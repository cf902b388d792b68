import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { brand } from '../../brand/brand.ts';
import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { verifyAudit } from '../../server/changes/audit/verify-audit.ts';
import { listSizes } from '../../server/drop/stock/stock.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { runProgram } from '../../test/support/run-program.ts';
import type { ReceivedMail } from '../../test/support/smtp-mailbox.ts';
import type { Stage } from '../stage.ts';
import { findUnfair, isQuietAt, repeated } from './check-rules.ts';
import { type Played, QUIET } from './play-drop.ts';
import {
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

export async function checkDrop({ stage, url, mails, played }: Rehearsed): Promise<Check[]> {
  const { database } = stage;
  const offers = await readOffers(database);
  const queued = await readMails(database);
  const record = await readRecord(url);
  const taking = offers.filter(({ state }) => ['open', 'accepted', 'redeemed'].includes(state));
  const offered = [...new Set(offers.map(({ member_id: id }) => id))];
  return [
    { what: 'Every answer was the right one', problems: played.wrongAnswers },
    { what: 'Every mask is with one member', problems: await checkMasks(stage, taking) },
    {
      what: 'Nobody has two masks, no code or order is used twice',
      problems: [
        ...repeated(taking.map(({ member_id: id }) => id)),
        ...repeated(offers.flatMap(({ code }) => code ?? [])),
        ...repeated(offers.flatMap(({ shop_order: order }) => order ?? [])),
      ].map((twice) => `${twice} is there twice.`),
    },
    {
      what: 'Offers followed the draw order',
      problems: findUnfair(await readEntrants(database), new Set(offered)),
    },
    { what: 'Everybody got their mails, once', problems: checkMails(queued, offers, record) },
    {
      what: 'Every mail that was sent has arrived',
      problems:
        queued.filter(({ outcome }) => outcome === 'sent').length === mails.length
          ? []
          : [`${mails.length} have.`],
    },
    {
      what: `No offer was mailed from ${QUIET.from} to ${QUIET.until}`,
      problems: queued
        .filter(({ kind, queued_at: at }) => /offer|chosen/.test(kind) && isQuietAt(at, QUIET))
        .map(({ queued_at: at }) => `One was at ${at.toISOString()}.`),
    },
    { what: '`npm run verify-draw` finds nothing', problems: await verifyDraw(url, played) },
    { what: 'Python draws the same', problems: drawInPython(record) },
    {
      what: '`npm run verify` finds nothing in the line and the audit log',
      problems: [
        ...(await verifyLine(database, brand)).differences,
        ...[(await verifyAudit(database)).difference ?? []].flat(),
      ],
    },
  ];
}

async function readRecord(url: string): Promise<DrawRecord> {
  return (await (await fetch(url + fillPath(apiPaths.draw, 1))).json()) as DrawRecord;
}

async function checkMasks({ database }: Stage, taking: readonly { size: string }[]) {
  return (await listSizes(database)).flatMap(({ name, stock, available }) => {
    const taken = taking.filter(({ size }) => size === name).length;
    return taken === stock && available === 0
      ? []
      : [`Of ${stock} masks in ${name}, ${taken} are with members and ${available} are free.`];
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
    // One pass is issued again, and so has two codes.
    ...expectCount('pass', offers.filter(({ code }) => code !== null).length),
    ...expectCount('not-chosen', entrants.length - offered.length),
    ...(['offer', 'offer-reminder', 'not-chosen'] as const).flatMap((kind) =>
      repeated(to(kind)).map((id) => `${id} got two mails of kind ${kind}.`),
    ),
    ...disappointed.map((id) => `${id} had an offer, and was told that no mask came.`),
    ...queued
      .filter(({ outcome }) => outcome !== 'sent' && outcome !== 'obsolete')
      .map(({ kind, outcome }) => `A mail of kind ${kind} is ${outcome ?? 'waiting'}.`),
  ];
}

async function verifyDraw(url: string, { announcementHash }: Played): Promise<string[]> {
  const words = [process.execPath, VERIFY_DRAW, url + fillPath(apiPaths.draw, 1), announcementHash];
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
