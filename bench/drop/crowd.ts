/**
 * A crowd that accepts offers within a second, on several servers with one PostgreSQL: who sent
 * what, how it was answered, and whether every mask is accounted for.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { apiPaths } from '../../contract/paths.ts';
import type { Database } from '../../server/db/database.ts';
import { makeDueOffers } from '../../server/drop/offers/offer-work.ts';
import { listSizes } from '../../server/drop/stock/stock.ts';
import { signLinkToken } from '../../server/mail/link-token.ts';
import { percentile } from '../statistics.ts';
import { CLICK_KINDS, type Click, type ClickKind, drawClicks } from './clicks.ts';
import { change, OPERATOR_TOKEN } from './operator-calls.ts';

const SECRET_KEY = 'the same on all servers of the crowd, as it must be';

/** Of each server that the crowd goes to. */
export const CROWD_SETTINGS = {
  SECRET_KEY,
  OPERATOR_TOKEN,
  // Each member comes from an address of their own, so that limits are those of a real crowd.
  TRUST_PROXY: '127.0.0.1',
} as const;

export type CrowdLooks = readonly Pick<Click, 'memberId' | 'token'>[];
export type CrowdOrder =
  | {
      readonly do: 'open';
      readonly ports: readonly number[];
      /** To each server. */
      readonly connections: number;
      readonly looks: CrowdLooks;
    }
  | { readonly do: 'click' | 'add'; readonly clicks: readonly Click[] };

export type Reply = Pick<Click, 'kind' | 'memberId'> & {
  /** 0: the connection was lost. */
  readonly status: number;
  readonly code: string | null;
  readonly ms: number;
};

export type CrowdResult = {
  readonly replies: readonly Reply[];
  /** How late each click was sent: it counts in the time of its answer. */
  readonly lateMs: readonly number[];
  readonly seconds: number;
  readonly cpuSeconds: number;
};

type CrowdServer = { readonly url: string; readonly port: number };

export type CrowdOptions = {
  /** Of this process, which looks at the offers as a further server would. */
  readonly database: Database;
  readonly servers: readonly CrowdServer[];
  /** To all servers together. */
  readonly connections: number;
  /** How many of the members with an offer have one that ends within the second. */
  readonly ending: number;
};

export type CrowdRow = {
  readonly kind: ClickKind | 'all';
  readonly sent: number;
  readonly byStatus: Readonly<Record<number, number>>;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
};

export type CrowdFigures = {
  readonly rows: readonly CrowdRow[];
  readonly seconds: number;
  readonly clientLateP99Ms: number;
  readonly clientCpuSeconds: number;
  /** Passes within the second and right after it, and at the end. */
  readonly acceptedByCrowd: number;
  readonly accepted: number;
  /** Sentences; none when every mask is accounted for. */
  readonly problems: readonly string[];
};

const CLIENT = fileURLToPath(new URL('crowd-client.ts', import.meta.url));
/** When further servers look at the offers: right after some have ended, and later. */
const SWEEPS_AT_MS = [510, 520, 800];
const ENDS_AT_MS = 500;

/** A drop whose first offers are open, with all of the line frozen. */
export async function prepareDrop(
  { database, servers }: Pick<CrowdOptions, 'database' | 'servers'>,
  { entrants, masks }: { entrants: number; masks: Readonly<Record<string, number>> },
): Promise<void> {
  const url = servers[0]?.url ?? '';
  const total = Object.values(masks).reduce((sum, stock) => sum + stock, 0);
  for (const [size, stock] of Object.entries(masks))
    await change(url, 'set-stock', { size, stock });
  await change(url, 'freeze-drop', { first: entrants });
  const byRank = Math.floor(total / 2);
  const rule = { by_rank: byRank, drawn_among: entrants, source: 'seed' };
  await change(url, 'announce-draw', rule);
  await change(url, 'select-entrants', {});
  await change(url, 'start-offers', { minutes: 720, time_zone: 'UTC' });
  await sweep(database);
}

/** Lets all entrants of the prepared drop accept at once, and then goes on until it is over. */
export async function runCrowd(options: CrowdOptions): Promise<CrowdFigures> {
  const { database, servers, connections, ending } = options;
  const holders = await readHolders(database);
  const held = new Set(holders);
  const others = (await readEntrants(database)).filter((id) => !held.has(id));
  const endings = holders.filter((_, index) => index % Math.ceil(holders.length / ending) === 0);
  const clicks = drawClicks({
    holders: holders.filter((id) => !endings.includes(id)),
    ending: endings,
    others,
    servers: servers.length,
    sign,
    random: Math.random,
  });
  const client = fork(CLIENT);
  await order(client, {
    do: 'open',
    ports: servers.map(({ port }) => port),
    connections: Math.ceil(connections / servers.length),
    looks: [...others, ...holders].map((memberId) => ({ memberId, token: sign(memberId) })),
  });
  await endWithin(database, endings);
  const answered = order(client, { do: 'click', clicks }) as Promise<CrowdResult>;
  const sweeping = SWEEPS_AT_MS.map(async (atMs) => {
    await pause(atMs);
    await sweep(database);
    const next = (await readHolders(database)).filter((id) => !held.has(id));
    for (const id of next) held.add(id);
    if (client.connected) client.send({ do: 'add', clicks: nextClicks(next, servers.length) });
  });
  const result = await answered;
  await Promise.all(sweeping);
  const acceptedByCrowd = await countAccepted(database);
  await acceptRest(options);
  return {
    rows: sumUp(result.replies),
    seconds: result.seconds,
    clientLateP99Ms: percentile([...result.lateMs].sort(ascending), 0.99),
    clientCpuSeconds: result.cpuSeconds,
    acceptedByCrowd,
    accepted: await countAccepted(database),
    problems: await findProblems(database, result.replies),
  };
}

/** As every server does each 15 seconds; their mails leave from there. */
async function sweep(database: Database): Promise<void> {
  await makeDueOffers({ database, mail: { wake() {} } });
}

function sign(memberId: string): string {
  const expiresAt = new Date(Date.now() + 86_400_000);
  return signLinkToken(SECRET_KEY, { purpose: 'offer', memberId, mailbox: null, expiresAt });
}

function nextClicks(memberIds: readonly string[], servers: number): Click[] {
  return memberIds.map((memberId, index) => ({
    kind: 'next',
    atMs: 0,
    memberId,
    token: sign(memberId),
    server: index % servers,
  }));
}

async function order(client: ChildProcess, what: CrowdOrder): Promise<unknown> {
  const ended = once(client, 'exit').then(() => Promise.reject(new Error('The crowd ended.')));
  ended.catch(() => {});
  client.send(what);
  const [message] = await Promise.race([once(client, 'message'), ended]);
  return message;
}

/** Members whose offers ran out before they clicked leave masks to the next in line. */
async function acceptRest({ database, servers }: CrowdOptions): Promise<void> {
  for (;;) {
    await sweep(database);
    const open = await readHolders(database);
    if (open.length === 0) return;
    for (const click of nextClicks(open, servers.length)) {
      const response = await fetch((servers[click.server]?.url ?? '') + apiPaths.acceptOffer(), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: click.token }),
      });
      if (response.status !== 200) throw new Error(await response.text());
      await response.arrayBuffer();
    }
  }
}

async function readHolders({ kysely }: Database): Promise<string[]> {
  const open = kysely.selectFrom('offer').select('member_id').where('state', '=', 'open');
  return (await open.orderBy('member_id').execute()).map((row) => row.member_id);
}

async function readEntrants({ kysely }: Database): Promise<string[]> {
  const rows = await kysely.selectFrom('entrant').select('member_id').execute();
  return rows.map((row) => row.member_id);
}

/** Half a second from now, by the clock of the database. */
async function endWithin({ runSql }: Database, memberIds: readonly string[]): Promise<void> {
  await runSql(
    `update offer set expires_at = clock_timestamp() + $1 * interval '1 millisecond'
     where state = 'open' and member_id = any($2::uuid[])`,
    [ENDS_AT_MS, memberIds],
  );
}

async function countAccepted({ kysely }: Database): Promise<number> {
  const accepted = kysely.selectFrom('offer').select('id').where('state', '=', 'accepted');
  return (await accepted.execute()).length;
}

/** Compares the database with what each member was told. */
async function findProblems(database: Database, replies: readonly Reply[]): Promise<string[]> {
  const problems: string[] = [];
  const offers = await database.kysely.selectFrom('offer').selectAll().execute();
  const passes = offers.filter(({ state }) => state === 'accepted');
  const codeOf = new Map(passes.map((pass) => [pass.member_id, pass.code]));
  if (codeOf.size < passes.length) problems.push('A member has two passes.');
  if (new Set(codeOf.values()).size < passes.length) problems.push('Two passes have one code.');
  for (const { name, stock, available } of await listSizes(database)) {
    const taken = passes.filter(({ size }) => size === name).length;
    if (taken !== stock) problems.push(`${taken} passes of ${stock} masks in ${name}.`);
    if (available !== 0) problems.push(`${available} masks in ${name} are left.`);
  }
  for (const { kind, memberId, status, code } of replies) {
    if (status === 200 && code !== codeOf.get(memberId))
      problems.push(`${memberId} was told a code that is not theirs.`);
    if (kind === 'holder' && status !== 200 && status !== 503)
      problems.push(`${memberId}, whose offer stood, was answered ${status}.`);
    if ((kind === 'none' || kind === 'forged') && code !== null && !codeOf.has(memberId))
      problems.push(`${memberId} was given a code without an offer.`);
    if (kind === 'forged' && status === 200) problems.push(`${memberId} was let in by a forgery.`);
    if (![200, 403, 404, 409, 503].includes(status))
      problems.push(`${memberId} was answered ${status}.`);
  }
  return problems;
}

function sumUp(replies: readonly Reply[]): CrowdRow[] {
  return [...CLICK_KINDS, 'all' as const].map((kind) => {
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
