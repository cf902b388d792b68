/** The steps of a drop on a long line, and a crowd that accepts its offers within a second. */
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OfferFigures } from '../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { makeDueOffers } from '../../server/drop/steps/sweep-offers.ts';
import { listSizes } from '../../server/drop/stock/store.ts';
import { signLinkToken } from '../../server/mail/link-token.ts';
import { askAs, askMany, joinOf } from '../../test/limits/visitor.ts';
import { fill, startProduct, thisCheckout, verify } from '../checkout.ts';
import { type Operator, openOperator } from '../load/operator.ts';
import { DOMAINS } from '../members/fill-line.ts';
import type { Part } from '../part.ts';
import type { Engine } from '../places.ts';
import { short, table, whole } from '../report/markdown.ts';
import { percentile } from '../statistics.ts';

const REPORT = 'DROP.md';
const MEMBERS = 1_000_000;
const ENTRANTS = 10_000;
const ALL_DOMAINS = DOMAINS.split(',');
const WANTED = { first: ENTRANTS, domains: ALL_DOMAINS };
const FREEZES = 3;
/** Joins go on before and after each step, so that its whole effect on them is measured. */
const CALM_MS = 1_000;
const JOINS_PER_SECOND = 50;

type Step = {
  readonly step: string;
  readonly seconds: number;
  readonly joins: Awaited<ReturnType<ReturnType<typeof startJoins>['stop']>>;
};
type Beside = (step: string, work: () => Promise<unknown>) => Promise<void>;

export const stepsPart = (engine: Engine): Part => ({
  name: `drop-${engine}`,
  writes: REPORT,
  scale: { members: MEMBERS },
  async measure({ newPlace, log }) {
    const place = await newPlace(engine);
    await fill(thisCheckout, place, MEMBERS);
    const settings = { LIMITS: 'off', MAIL_RATE: '0.1' };
    const { url, stop } = await startProduct(thisCheckout, place, settings);
    const steps: Step[] = [];
    await takeSteps(openOperator(place.dataDir), async (step, work) => {
      const running = startJoins(url);
      await pause(CALM_MS);
      const beganAt = performance.now();
      await work();
      const seconds = (performance.now() - beganAt) / 1000;
      await pause(CALM_MS);
      const joins = await running.stop();
      steps.push({ step, seconds, joins });
      log(`${step}: ${short(seconds)} s; the longest join took ${whole(longestOf(joins))} ms`);
    });
    await stop();
    await verify(thisCheckout, place);
    return { section: `## The steps of a drop on ${engine}\n\n${describeSteps(steps)}` };
  },
});

async function takeSteps({ call, change }: Operator, beside: Beside): Promise<void> {
  const preview = (kind: string, input: object) =>
    call(operatorPaths.previewChange, { kind, input });
  const readDraw = () => call(fillPath(apiPaths.draw, 1));

  await beside('nothing', () => pause(CALM_MS));
  for (let freeze = 1; freeze <= FREEZES; freeze += 1) {
    await beside('preview of the freeze', () => preview('freeze-drop', WANTED));
    await beside('freeze', () => change('freeze-drop', WANTED));
    if (freeze < FREEZES) await beside('unfreeze', () => change('unfreeze-drop', {}));
  }
  const rule = { by_rank: 50, drawn_among: ENTRANTS, source: 'seed' };
  await beside('announce the draw', () => change('announce-draw', rule));
  await beside('preview of the draw', () => preview('select-entrants', {}));
  await beside('select', () => change('select-entrants', {}));
  await beside('/api/drop/1/draw, first call', readDraw);
  await beside('/api/drop/1/draw, later calls', readDraw);
  const terms = { minutes: 720, time_zone: 'UTC' };
  await beside('start offers', () => change('start-offers', terms));
  await beside('the first wave, within 15 s', async () => {
    while ((await call<OfferFigures>(operatorPaths.offers)).open === 0) await pause(100);
  });
  await beside('tell everybody else', () => change('tell-others', {}));
  await beside('close', () => change('close-drop', {}));
}

/** Each join is sent on schedule, whether or not earlier ones were answered. */
function startJoins(url: string) {
  const joins: Promise<{ isRefused: boolean; ms: number }>[] = [];
  async function joinOnce() {
    const sentAt = performance.now();
    const key = randomUUID();
    const { path, ...join } = joinOf(`${key}@joins.example`, { key });
    const answer = await fetch(url + path, join).catch(() => null);
    await answer?.arrayBuffer();
    return { isRefused: answer?.status !== 201, ms: performance.now() - sentAt };
  }
  const timer = setInterval(() => joins.push(joinOnce()), 1000 / JOINS_PER_SECOND);
  return {
    async stop() {
      clearInterval(timer);
      return await Promise.all(joins);
    },
  };
}

function describeSteps(steps: readonly Step[]): string {
  const byStep = Map.groupBy(steps, ({ step }) => step);
  const rows = Array.from(byStep, ([step, runs]) => {
    const joins = runs.flatMap((run) => run.joins);
    const refused = joins.filter(({ isRefused }) => isRefused).length;
    return [
      step,
      short(Math.max(...runs.map(({ seconds }) => seconds))),
      whole(joins.length - refused),
      whole(refused),
      whole(longestOf(joins)),
    ];
  });
  return table(['step', 'slowest s', 'joins', 'refused', 'longest join ms'], rows);
}

const longestOf = (joins: Step['joins']) => Math.max(...joins.map(({ ms }) => ms));

const SERVERS = 3;
const ENDING = 20;
const MASKS = { Small: 33, Medium: 34, Large: 33 };
const SECRET_KEY = 'the same on all servers of the crowd, as it must be';

export const CROWD_SETTINGS = {
  SECRET_KEY,
  // Each member comes from an address of their own, so that limits are those of a real crowd.
  TRUST_PROXY: '127.0.0.1',
} as const;

const CLICKERS = {
  holder: 'has an open offer',
  ending: 'has an offer that ends after half a second',
  again: 'the second click of a member with an offer, up to 80 ms later, on another server',
  none: 'is on the list, has a link that is signed, and no offer',
  forged: 'the same with a changed signature',
};
type ClickKind = keyof typeof CLICKERS;

type Click = {
  readonly kind: ClickKind;
  /** Milliseconds from the beginning of the second. */
  readonly atMs: number;
  readonly memberId: string;
  readonly token: string;
  readonly server: number;
};

type Reply = Pick<Click, 'kind' | 'memberId'> & {
  /** 0 when the connection was lost. */
  readonly status: number;
  readonly code: string | null;
  /** Both count from the moment at which the click was due. */
  readonly lateMs: number;
  readonly ms: number;
};

const SECOND_MS = 1000;
const DOUBLE_CLICK_MS = 80;
const FORGES_EVERY = 50;
/** Moments at which a further server makes offers: when some have just ended, and later. */
const SWEEPS_AT_MS = [510, 520, 800];
const ENDS_AT_MS = 500;

const ROUNDS = 3;
const CONNECTIONS = 3_000;

export const crowdPart: Part = {
  name: 'drop-crowd',
  writes: REPORT,
  scale: { crowd: ENTRANTS, rounds: ROUNDS, connections: CONNECTIONS },
  async measure({ newPlace, log }) {
    const runs: CrowdRun[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const place = await newPlace('postgres');
      await fill(thisCheckout, place, ENTRANTS);
      const servers = [];
      for (let node = 1; node <= SERVERS; node += 1) {
        const dataDir = join(place.dataDir, `node${node}`);
        servers.push(await startProduct(thisCheckout, { ...place, dataDir }, CROWD_SETTINGS));
      }
      const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
      const operator = openOperator(join(place.dataDir, 'node1'));
      await prepareDrop(database, operator, { wanted: WANTED, masks: MASKS });
      const urls = servers.map(({ url }) => url);
      runs.push(await runCrowd({ database, urls, connections: CONNECTIONS, ending: ENDING }));
      await database.close();
      for (const server of servers) await server.stop();
      log(`round ${round} of ${ROUNDS} measured`);
    }
    const tables = [describeOutcomes(runs), describeClicks(runs.map(({ replies }) => replies))];
    return { section: ['## A crowd that accepts within a second', ...tables].join('\n\n') };
  },
};

export async function prepareDrop(
  database: Database,
  { change }: Operator,
  { wanted, masks }: { wanted: typeof WANTED; masks: Readonly<Record<string, number>> },
): Promise<void> {
  const total = Object.values(masks).reduce((sum, stock) => sum + stock, 0);
  for (const [size, stock] of Object.entries(masks)) await change('set-stock', { size, stock });
  await change('freeze-drop', wanted);
  const rule = { by_rank: Math.floor(total / 2), drawn_among: wanted.first, source: 'seed' };
  await change('announce-draw', rule);
  await change('select-entrants', {});
  // Each pass wants a checkout, as at any till; this one is a link, so that nobody is called.
  await change('set-till', { link: { url: 'https://shop.example.com/', reports: true } });
  await change('start-offers', { minutes: 720, time_zone: 'UTC' });
  await makeOffers(database);
}

type CrowdOptions = {
  readonly database: Database;
  readonly urls: readonly string[];
  readonly connections: number;
  readonly ending: number;
};

type CrowdRun = Awaited<ReturnType<typeof runCrowd>>;

/** The whole list clicks within a second; whoever is offered a mask that then comes back, later. */
export async function runCrowd({ database, urls, connections, ending: count }: CrowdOptions) {
  const holders = await readMembers(database, 'open');
  const everyNth = Math.ceil(holders.length / count);
  const ending = holders.filter((_, index) => index % everyNth === 0);
  const entrants = await database.kysely.selectFrom('entrant').select('member_id').execute();
  const clicks = generateClicks({
    holders: holders.filter((id) => !ending.includes(id)),
    ending,
    none: entrants.map((row) => row.member_id).filter((id) => !holders.includes(id)),
    servers: urls.length,
  });
  const { post, close } = openVisitors(urls, connections);
  const looks = clicks.filter(({ kind }) => kind !== 'again' && kind !== 'forged');
  // They open the connections, too.
  await askMany(looks.length, (index) => post(apiPaths.offer, looks[index] as Click), {
    atOnce: connections,
    onAnswer({ status }) {
      if (status !== 200) throw new Error(`A look at an offer was answered ${status}.`);
    },
  });

  await endSoon(database, ending);
  const beganAt = performance.now();
  const elapsed = () => performance.now() - beganAt;
  const sweeping = SWEEPS_AT_MS.map((atMs) => pause(atMs).then(() => makeOffers(database)));
  const clicking = clicks.map(async (click): Promise<Reply> => {
    const { kind, memberId, atMs } = click;
    await pause(atMs);
    const lateMs = elapsed() - atMs;
    const lost = { status: 0, text: '' };
    const { status, text } = await post(apiPaths.acceptOffer, click).catch(() => lost);
    return { kind, memberId, status, code: codeOf(text), lateMs, ms: elapsed() - atMs };
  });
  const replies = await Promise.all(clicking);
  const seconds = elapsed() / 1000;
  await Promise.all(sweeping);
  const acceptedByCrowd = (await readMembers(database, 'accepted')).length;
  for (;;) {
    await makeOffers(database);
    const open = await readMembers(database, 'open');
    if (open.length === 0) break;
    for (const memberId of open) {
      const click = { memberId, token: sign(memberId), server: 0 };
      const { status } = await post(apiPaths.acceptOffer, click);
      if (status !== 200) throw new Error(`An open offer was answered ${status}.`);
    }
  }
  close();
  const accepted = (await readMembers(database, 'accepted')).length;
  const problems = await findProblems(database, replies);
  return { replies, seconds, acceptedByCrowd, accepted, problems };
}

/** A visitor waits while all connections to their server are taken. */
function openVisitors(urls: readonly string[], connections: number) {
  const maxSockets = Math.ceil(connections / urls.length);
  const agent = new Agent({ keepAlive: true, maxSockets, maxFreeSockets: maxSockets });
  return {
    post(path: string, click: Pick<Click, 'token' | 'memberId' | 'server'>) {
      const [a, b, c] = Buffer.from(click.memberId.slice(-6), 'hex');
      return askAs(urls[click.server] ?? '', `60.${a}.${b}.${c}`, {
        agent,
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: click.token }),
      });
    },
    close: () => agent.destroy(),
  };
}

type Crowd = {
  readonly holders: readonly string[];
  readonly ending: readonly string[];
  readonly none: readonly string[];
  readonly servers: number;
};

/** Holders click twice, the second time on another server. */
function generateClicks({ holders, ending, none, servers }: Crowd): Click[] {
  const once = (kind: ClickKind) => (memberId: string) => ({
    kind,
    atMs: Math.random() * SECOND_MS,
    memberId,
    token: sign(memberId),
    server: Math.floor(Math.random() * servers),
  });
  const first = holders.map(once('holder'));
  const again = first.map((click) => ({
    ...click,
    kind: 'again' as const,
    atMs: Math.min(SECOND_MS, click.atMs + Math.random() * DOUBLE_CLICK_MS),
    server: (click.server + 1) % servers,
  }));
  const forged = none.filter((_, index) => index % FORGES_EVERY === 0).map(once('forged'));
  const spoilt = forged.map(({ token, ...click }) => ({
    ...click,
    token: (token.startsWith('A') ? 'B' : 'A') + token.slice(1),
  }));
  return [...first, ...again, ...ending.map(once('ending')), ...none.map(once('none')), ...spoilt];
}

/** Every server does this each second; mails leave from there. */
async function makeOffers(database: Database): Promise<void> {
  await makeDueOffers({ database, mail: { wake() {}, reachesMembers: true } });
}

function sign(memberId: string): string {
  const expiresAt = new Date(Date.now() + 86_400_000);
  return signLinkToken(SECRET_KEY, { purpose: 'offer', memberId, mailbox: null, expiresAt });
}

function codeOf(answer: string): string | null {
  return /"code":"([^"]+)"/.exec(answer)?.[1] ?? null;
}

async function readMembers({ kysely }: Database, state: 'open' | 'accepted'): Promise<string[]> {
  const offers = kysely.selectFrom('offer').select('member_id').where('state', '=', state);
  return (await offers.orderBy('member_id').execute()).map((row) => row.member_id);
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

const OUTCOMES = [
  ...['run', 'passes', 'when the last click was answered', 'seconds until then'],
  ...['clicks late, p99 ms', 'every mask is accounted for'],
];

function describeOutcomes(runs: readonly CrowdRun[]): string {
  const rows = runs.map(({ replies, seconds, accepted, acceptedByCrowd, problems }, index) => [
    ...[index + 1, accepted, acceptedByCrowd].map(whole),
    short(seconds),
    short(
      percentile(
        replies.map(({ lateMs }) => lateMs),
        0.99,
      ),
    ),
    problems.length === 0 ? 'yes' : problems.slice(0, 10).join(' '),
  ]);
  return table(OUTCOMES, rows);
}

function describeClicks(runs: readonly (readonly Reply[])[]): string {
  const statuses = [...new Set(runs.flat().map(({ status }) => status))].sort();
  const rows = runs.flatMap((replies, index) =>
    [...(Object.keys(CLICKERS) as ClickKind[]), 'all' as const].map((kind) => {
      const own = replies.filter((reply) => kind === 'all' || reply.kind === kind);
      const counts = statuses.map((wanted) => own.filter(({ status }) => status === wanted).length);
      const times = [0.5, 0.99, 1].map((share) =>
        percentile(
          own.map(({ ms }) => ms),
          share,
        ),
      );
      return [
        whole(index + 1),
        kind === 'all' ? kind : CLICKERS[kind],
        whole(own.length),
        ...counts.map((count) => (count === 0 ? '' : whole(count))),
        ...times.map((ms) => (own.length === 0 ? '–' : whole(ms))),
      ];
    }),
  );
  const times = ['p50 ms', 'p99 ms', 'longest ms'];
  return table(['run', 'who clicks', 'sent', ...statuses.map(String), ...times], rows);
}
