/** A crowd that accepts offers within a second, on several servers with one PostgreSQL. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../server/db/database.ts';
import { makeDueOffers } from '../../server/drop/offers/make-offers.ts';
import { listSizes } from '../../server/drop/stock/stock.ts';
import { signLinkToken } from '../../server/mail/link-token.ts';
import type { Operator } from '../load/operator.ts';
import { percentile } from '../statistics.ts';
import {
  CLICKERS,
  type Click,
  type ClickKind,
  generateClicks,
  openSender,
  type Reply,
} from './clicks.ts';

const SECRET_KEY = 'the same on all servers of the crowd, as it must be';

export const CROWD_SETTINGS = {
  SECRET_KEY,
  // Each member comes from an address of their own, so that limits are those of a real crowd.
  TRUST_PROXY: '127.0.0.1',
} as const;

type CrowdOptions = {
  readonly database: Database;
  readonly servers: readonly { readonly port: number }[];
  readonly connections: number;
  readonly ending: number;
};

export type CrowdFigures = Awaited<ReturnType<typeof runCrowd>>;

/** Moments at which a further server makes offers: when some have just ended, and later. */
const SWEEPS_AT_MS = [510, 520, 800];
const ENDS_AT_MS = 500;
const LOOKS_AT_ONCE = 32;

export async function prepareDrop(
  database: Database,
  { change }: Operator,
  { entrants, masks }: { entrants: number; masks: Readonly<Record<string, number>> },
): Promise<void> {
  const total = Object.values(masks).reduce((sum, stock) => sum + stock, 0);
  for (const [size, stock] of Object.entries(masks)) await change('set-stock', { size, stock });
  await change('freeze-drop', { first: entrants });
  const rule = { by_rank: Math.floor(total / 2), drawn_among: entrants, source: 'seed' };
  await change('announce-draw', rule);
  await change('select-entrants', {});
  // Each pass wants a checkout, as at any till; this one is a link, so that nobody is called.
  await change('set-till', { link: { url: 'https://shop.example.com/', reports: true } });
  await change('start-offers', { minutes: 720, time_zone: 'UTC' });
  await makeOffers(database);
}

export async function runCrowd(options: CrowdOptions) {
  const { database, servers, connections, ending: endingCount } = options;
  const first = await readHolders(database);
  const known = new Set(first);
  const everyNth = Math.ceil(first.length / endingCount);
  const ending = first.filter((_, index) => index % everyNth === 0);
  const entrants = await database.kysely.selectFrom('entrant').select('member_id').execute();
  const clicks = generateClicks({
    holders: first.filter((id) => !ending.includes(id)),
    ending,
    none: entrants.map((row) => row.member_id).filter((id) => !known.has(id)),
    servers: servers.length,
    sign,
  });
  const ports = servers.map(({ port }) => port);
  const sender = openSender(ports, Math.ceil(connections / servers.length));
  const looks = clicks.filter(({ kind }) => kind !== 'again' && kind !== 'forged');
  for (let from = 0; from < looks.length; from += LOOKS_AT_ONCE * servers.length)
    await Promise.all(
      looks
        .slice(from, from + LOOKS_AT_ONCE * servers.length)
        .map((click, index) => sender.look(index % servers.length, click)),
    );

  await endSoon(database, ending);
  const beganAt = performance.now();
  const sweeping = SWEEPS_AT_MS.map(async (atMs) => {
    await pause(atMs);
    await makeOffers(database);
    const next = (await readHolders(database)).filter((id) => !known.has(id));
    for (const id of next) known.add(id);
    sender.add(clicksOfNext(next, servers.length));
  });
  await sender.begin(clicks);
  await Promise.all(sweeping);
  await sender.untilAnswered();
  const seconds = (performance.now() - beganAt) / 1000;
  const [replies, lateMs] = [[...sender.replies], [...sender.lateMs]];
  const acceptedByCrowd = await countAccepted(database);
  for (;;) {
    await makeOffers(database);
    const open = await readHolders(database);
    if (open.length === 0) break;
    sender.add(clicksOfNext(open, servers.length));
    await sender.untilAnswered();
    const refused = sender.replies.slice(replies.length).find(({ status }) => status !== 200);
    if (refused !== undefined) throw new Error(`An open offer was answered ${refused.status}.`);
  }
  sender.close();
  return {
    rows: sumUp(replies),
    seconds,
    clientLateP99Ms: percentile(lateMs.sort(ascending), 0.99),
    acceptedByCrowd,
    accepted: await countAccepted(database),
    problems: await findProblems(database, replies),
  };
}

/** Every server does this each second; mails leave from there. */
async function makeOffers(database: Database): Promise<void> {
  await makeDueOffers({ database, mail: { wake() {}, mayOffer: true } });
}

function sign(memberId: string): string {
  const expiresAt = new Date(Date.now() + 86_400_000);
  return signLinkToken(SECRET_KEY, { purpose: 'offer', memberId, mailbox: null, expiresAt });
}

function clicksOfNext(memberIds: readonly string[], servers: number): Click[] {
  return memberIds.map((memberId, index) => ({
    kind: 'next',
    atMs: 0,
    memberId,
    token: sign(memberId),
    server: index % servers,
  }));
}

async function readHolders({ kysely }: Database): Promise<string[]> {
  const open = kysely.selectFrom('offer').select('member_id').where('state', '=', 'open');
  return (await open.orderBy('member_id').execute()).map((row) => row.member_id);
}

async function endSoon({ runSql }: Database, memberIds: readonly string[]): Promise<void> {
  // An offer whose mail is still on its way does not end.
  await runSql(
    `update offer set mailed_at = coalesce(mailed_at, clock_timestamp()),
       expires_at = clock_timestamp() + $1 * interval '1 millisecond'
     where state = 'open' and member_id = any($2::uuid[])`,
    [ENDS_AT_MS, memberIds],
  );
}

async function countAccepted({ kysely }: Database): Promise<number> {
  const accepted = kysely.selectFrom('offer').select('id').where('state', '=', 'accepted');
  return (await accepted.execute()).length;
}

async function findProblems(database: Database, replies: readonly Reply[]): Promise<string[]> {
  const problems: string[] = [];
  const offers = await database.kysely.selectFrom('offer').selectAll().execute();
  const passes = offers.filter(({ state }) => state === 'accepted');
  const checkouts = await database.kysely.selectFrom('checkout').select('offer_id').execute();
  const sold = new Set(checkouts.map((checkout) => checkout.offer_id));
  if (sold.size !== passes.length || passes.some(({ id }) => !sold.has(id)))
    problems.push(`${sold.size} checkouts of ${passes.length} passes.`);
  const codeOf = new Map(passes.map((pass) => [pass.member_id, pass.code]));
  if (codeOf.size < passes.length) problems.push('A member has two passes.');
  if (new Set(codeOf.values()).size < passes.length) problems.push('Two passes have one code.');
  for (const { name, stock, available } of await listSizes(database)) {
    const taken = passes.filter(({ size }) => size === name).length;
    if (taken !== stock) problems.push(`${taken} passes of ${stock} masks in ${name}.`);
    if (available !== 0) problems.push(`${available} masks in ${name} are left.`);
  }
  for (const { kind, memberId, status, code } of replies) {
    const report = (problem: string) => problems.push(`${memberId} ${problem}`);
    if (status === 200 && code !== codeOf.get(memberId)) report('received a code of another.');
    if (kind === 'holder' && status !== 200 && status !== 503)
      report(`had an open offer, and was answered ${status}.`);
    if ((kind === 'none' || kind === 'forged') && code !== null && !codeOf.has(memberId))
      report('received a code without an offer.');
    if (kind === 'forged' && status === 200) report('was let in by a forgery.');
    if (![200, 403, 404, 409, 503].includes(status)) report(`was answered ${status}.`);
  }
  return problems;
}

function sumUp(replies: readonly Reply[]) {
  return [...(Object.keys(CLICKERS) as ClickKind[]), 'all' as const].map((kind) => {
    const own = replies.filter((reply) => kind === 'all' || reply.kind === kind);
    const times = own.map(({ ms }) => ms).sort(ascending);
    const byStatus: Record<number, number> = {};
    for (const { status } of own) byStatus[status] = (byStatus[status] ?? 0) + 1;
    return {
      kind,
      sent: own.length,
      byStatus,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      longestMs: percentile(times, 1),
    };
  });
}

const ascending = (a: number, b: number) => a - b;
