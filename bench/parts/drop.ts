/** The steps of a drop on a long line, and a crowd that accepts its offers within a second. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { OfferFigures } from '../../contract/operator/drop/offers.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { makeDueOffers } from '../../server/drop/offers/make-offers.ts';
import { listSizes } from '../../server/drop/stock/store.ts';
import { signLinkToken } from '../../server/mail/link-token.ts';
import { fill, startProduct, thisCheckout } from '../checkout.ts';
import { type Answer, type Connection, openConnection } from '../load/connection.ts';
import { type Operator, openOperator } from '../load/operator.ts';
import { type Beside, measureSteps, stepTable } from '../load/operator-steps.ts';
import { postText } from '../load/requests.ts';
import { DOMAINS } from '../members/fill-line.ts';
import { definePart } from '../part.ts';
import type { Engine } from '../places.ts';
import { short, table, whole } from '../report/markdown.ts';
import { percentile } from '../statistics.ts';

const REPORT = 'DROP.md';
const ENTRANTS = 10_000;
const ALL_DOMAINS = DOMAINS.split(',');
const WANTED = { first: ENTRANTS, domains: ALL_DOMAINS };
const FREEZES = 3;
const CALM_MS = 1_000;

export const stepsPart = (engine: Engine) =>
  definePart({
    name: `drop-${engine}`,
    writes: REPORT,
    options: { members: 1_000_000 },
    async measure({ options: { members }, newPlace, log }) {
      return await measureSteps({ place: await newPlace(engine), members, log }, takeSteps);
    },
    describe: (steps) => `## The steps of a drop on ${engine}\n\n${stepTable(steps)}`,
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

const SERVERS = 3;
const ENDING = 20;
const MASKS = { Small: 33, Medium: 34, Large: 33 };
const SECRET_KEY = 'the same on all servers of the crowd, as it must be';

export const CROWD_SETTINGS = {
  SECRET_KEY,
  // Each member comes from an address of their own, so that limits are those of a real crowd.
  TRUST_PROXY: '127.0.0.1',
} as const;

export const crowdPart = definePart({
  name: 'drop-crowd',
  writes: REPORT,
  options: { crowd: 10_000, rounds: 3, connections: 3_000 },
  async measure({ options: { crowd, rounds, connections }, newPlace, log }) {
    const all = [];
    for (let round = 1; round <= rounds; round += 1) {
      const place = await newPlace('postgres');
      await fill(thisCheckout, place, crowd);
      const servers = [];
      const operator = openOperator(join(place.dataDir, 'node1'));
      for (let node = 1; node <= SERVERS; node += 1) {
        const dataDir = join(place.dataDir, `node${node}`);
        servers.push(await startProduct(thisCheckout, { ...place, dataDir }, CROWD_SETTINGS));
      }
      const database = await openDatabase({ ...place, log: () => {}, skipMigrations: true });
      const wanted = { first: crowd, domains: ALL_DOMAINS };
      await prepareDrop(database, operator, { wanted, masks: MASKS });
      const ports = servers.map(({ port }) => port);
      all.push(await runCrowd({ database, ports, connections, ending: ENDING }));
      await database.close();
      for (const server of servers) await server.stop();
      log(`round ${round} of ${rounds} measured`);
    }
    return all;
  },
  describe(runs) {
    const outcomes = runs.map(({ accepted, acceptedByCrowd, problems, ...run }, index) => [
      whole(index + 1),
      ...[accepted, acceptedByCrowd].map(whole),
      ...[run.seconds, run.clientLateP99Ms].map(short),
      problems.length === 0 ? 'yes' : problems.slice(0, 10).join(' '),
    ]);
    const all = runs.flatMap(({ rows }) => rows);
    const statuses = [...new Set(all.flatMap(({ byStatus }) => Object.keys(byStatus)))].sort();
    const clicks = runs.flatMap(({ rows }, index) =>
      rows.map(({ kind, sent, byStatus, p50Ms, p99Ms, longestMs }) => [
        whole(index + 1),
        kind === 'all' ? kind : CLICKERS[kind],
        whole(sent),
        ...statuses.map((status) => byStatus[Number(status)]?.toLocaleString('en') ?? ''),
        ...[p50Ms, p99Ms, longestMs].map((ms) => (sent === 0 ? '–' : whole(ms))),
      ]),
    );
    const times = ['p50 ms', 'p99 ms', 'longest ms'];
    return [
      '## A crowd that accepts within a second',
      table(OUTCOMES, outcomes),
      table(['run', 'who clicks', 'sent', ...statuses, ...times], clicks),
    ].join('\n\n');
  },
});

const OUTCOMES = [
  ...['run', 'passes', 'when the last click was answered', 'seconds until then'],
  ...['clicks late, p99 ms', 'every mask is accounted for'],
];

const CLICKERS = {
  holder: 'has an open offer',
  ending: 'has an offer that ends after half a second',
  again: 'the second click of a member with an offer, up to 80 ms later, on another server',
  none: 'is on the list, has a link that is signed, and no offer',
  forged: 'the same with a changed signature',
  next: 'is offered a mask that came back meanwhile, and clicks at once',
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
  readonly ms: number;
};

const SECOND_MS = 1000;
const DOUBLE_CLICK_MS = 80;
const FORGES_EVERY = 50;
/** Moments at which a further server makes offers: when some have just ended, and later. */
const SWEEPS_AT_MS = [510, 520, 800];
const ENDS_AT_MS = 500;
const LOOKS_AT_ONCE = 32;

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
  readonly ports: readonly number[];
  readonly connections: number;
  readonly ending: number;
};

export async function runCrowd(options: CrowdOptions) {
  const { database, ports, connections, ending: endingCount } = options;
  const first = await readHolders(database);
  const known = new Set(first);
  const everyNth = Math.ceil(first.length / endingCount);
  const ending = first.filter((_, index) => index % everyNth === 0);
  const entrants = await database.kysely.selectFrom('entrant').select('member_id').execute();
  const clicks = generateClicks({
    holders: first.filter((id) => !ending.includes(id)),
    ending,
    none: entrants.map((row) => row.member_id).filter((id) => !known.has(id)),
    servers: ports.length,
  });
  const sender = openSender(ports, Math.ceil(connections / ports.length));
  const looks = clicks.filter(({ kind }) => kind !== 'again' && kind !== 'forged');
  for (let from = 0; from < looks.length; from += LOOKS_AT_ONCE * ports.length)
    await Promise.all(
      looks
        .slice(from, from + LOOKS_AT_ONCE * ports.length)
        .map((click, index) => sender.look(index % ports.length, click)),
    );

  await endSoon(database, ending);
  const beganAt = performance.now();
  const sweeping = SWEEPS_AT_MS.map(async (atMs) => {
    await pause(atMs);
    await makeOffers(database);
    const next = (await readHolders(database)).filter((id) => !known.has(id));
    for (const id of next) known.add(id);
    sender.add(clicksOfNext(next, ports.length));
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
    sender.add(clicksOfNext(open, ports.length));
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

type Crowd = {
  readonly holders: readonly string[];
  readonly ending: readonly string[];
  readonly none: readonly string[];
  readonly servers: number;
};

/** Holders click twice, the second time on another server. Clicks ascend by time. */
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
  const all = [...first, ...again, ...ending.map(once('ending')), ...none.map(once('none'))];
  return [...all, ...spoilt].sort((a, b) => a.atMs - b.atMs);
}

type Pool = { readonly free: Connection[]; readonly waiting: ((one: Connection) => void)[] };

function openSender(ports: readonly number[], connections: number) {
  const pools = ports.map(
    (port): Pool => ({
      free: Array.from({ length: connections }, () => openConnection(port)),
      waiting: [],
    }),
  );
  const replies: Reply[] = [];
  const lateMs: number[] = [];
  const unanswered = new Set<Promise<void>>();
  let beganAt = performance.now();
  const elapsed = () => performance.now() - beganAt;

  async function request(server: number, text: string): Promise<Answer> {
    const { free, waiting } = pools[server] as Pool;
    const connection =
      free.shift() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)));
    const answer = await connection
      .send(text)
      .catch((error: Error) => ({ status: 0, body: error.message }));
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    else next(connection);
    return answer;
  }

  /** Times count from the moment at which a click was due, and so include a wait to be sent. */
  async function send({ kind, token, atMs, memberId, server }: Click): Promise<void> {
    lateMs.push(elapsed() - atMs);
    const text = requestText(apiPaths.acceptOffer, token, memberId);
    const { status, body } = await request(server, text);
    const code = /"code":"([^"]+)"/.exec(body)?.[1] ?? null;
    replies.push({ kind, memberId, status, code, ms: elapsed() - atMs });
  }

  function start(click: Click): void {
    const one = send(click).finally(() => unanswered.delete(one));
    unanswered.add(one);
  }

  return {
    async look(server: number, { token, memberId }: Click): Promise<void> {
      const { status } = await request(server, requestText(apiPaths.offer, token, memberId));
      if (status !== 200) throw new Error(`A look at an offer was answered ${status}.`);
    },
    async begin(clicks: readonly Click[]): Promise<void> {
      beganAt = performance.now();
      for (const click of clicks) {
        const waitMs = click.atMs - elapsed();
        if (waitMs > 1) await pause(waitMs);
        start(click);
      }
    },
    add(clicks: readonly Click[]): void {
      for (const click of clicks) start({ ...click, atMs: elapsed() });
    },
    async untilAnswered(): Promise<void> {
      while (unanswered.size > 0) await Promise.all(unanswered);
    },
    replies,
    lateMs,
    close() {
      for (const connection of pools.flatMap(({ free }) => free)) connection.close();
    },
  };
}

function requestText(path: string, token: string, memberId: string): string {
  const [a, b, c] = Buffer.from(memberId.slice(-6), 'hex');
  const ip = `60.${a}.${b}.${c}`;
  return postText(path, JSON.stringify({ token }), `x-forwarded-for: ${ip}\r\n`);
}
