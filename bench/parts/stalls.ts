/** The longest wait of a join during the upkeep of the embedded engine. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { freePort } from '../../test/support/server-process.ts';
import { fill, type Product, startProduct, thisCheckout, writeSample } from '../checkout.ts';
import { measure } from '../load/closed-loop.ts';
import { runLaunch } from '../load/launch.ts';
import { giveOrder, orderSettings, type SlowStatement } from '../load/stall-orders.ts';
import { short, table, whole } from '../report/markdown.ts';
import type { Part } from './part.ts';

type CaseFigures = {
  readonly what: string;
  readonly joins: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  readonly failures: number;
  /** The statement that took longest, where one took 20 ms. */
  readonly slowest: SlowStatement | null;
};

type StallFigures = { readonly members: number; readonly cases: readonly CaseFigures[] };

type Scene = { readonly product: Product; readonly ordersPort: number; readonly dataDir: string };

type Case = {
  readonly what: string;
  readonly seconds: number;
  /** While nobody joins. */
  readonly prepare?: string;
  disturb(scene: Scene): Promise<unknown>;
};

const JOINS_A_SECOND = 50;
/** Before each case: several thousand joins, as usually precede a checkpoint. */
const JOINING = { kind: 'join', inFlight: 16, warmUpSeconds: 0, seconds: 5 } as const;
const MINUTE_MS = 60_000;
const run = promisify(execFile);

/** Enough changed rows to make a vacuum due, then a checkpoint: real changes come more slowly. */
const CHANGE_MANY = `
  set session_replication_role = replica;
  update standing set sort_key = sort_key where mod(hashtext(member_id::text), 9) = 0;
  update member set confirmed_at = clock_timestamp() where mod(hashtext(id::text), 9) = 0;
  set session_replication_role = origin;
  checkpoint`;
const EXPIRED_COUNTS = `
  insert into limit_count (rule, key, began_at, count, expires_at, settled_at)
  select 'join', md5(number::text), now() - interval '2 hours', 1, now(), now() - interval '1 hour'
  from generate_series(1, 200000) number`;

const CASES: readonly Case[] = [
  { what: 'nothing', seconds: 20, disturb: async () => {} },
  {
    what: 'a checkpoint',
    seconds: 20,
    disturb: ({ ordersPort }) => giveOrder(ordersPort, { advanceMs: 6 * MINUTE_MS }),
  },
  {
    what: 'a vacuum pass, a ninth of all rows changed',
    seconds: 25,
    prepare: CHANGE_MANY,
    disturb: ({ ordersPort }) => giveOrder(ordersPort, { advanceMs: 61 * MINUTE_MS }),
  },
  {
    what: 'deleting 200,000 expired counts',
    seconds: 70,
    prepare: EXPIRED_COUNTS,
    disturb: async () => {},
  },
  { what: 'a backup', seconds: 45, disturb: takeBackup },
  { what: 'a campaign to the whole line', seconds: 60, disturb: sendCampaign },
];

export const stallsPart: Part<StallFigures> = {
  name: 'stalls',
  async measure(bench) {
    const { members } = bench.options;
    const place = { dataDir: join(bench.folder, 'embedded'), databaseUrl: null };
    await fill(thisCheckout, place, members);
    const sampleFile = await writeSample(thisCheckout, place);
    bench.log(`${whole(members)} members are in line`);
    const ordersPort = await freePort();
    const product = await startProduct(thisCheckout, place, orderSettings(ordersPort));
    const scene = { product, ordersPort, dataDir: place.dataDir };
    const cases = [];
    for (const each of CASES) {
      await measure({ ...product, sampleFile }, JOINING);
      if (each.prepare !== undefined) await giveOrder(ordersPort, { sql: each.prepare });
      cases.push(await measureCase(scene, each));
      bench.log(`${each.what}: ${short(cases.at(-1)?.longestMs ?? 0)} ms`);
    }
    await product.stop();
    return { members, cases };
  },
  report({ members, cases }) {
    const rows = cases.map(({ what, joins, p50Ms, p99Ms, longestMs, failures, slowest }) => [
      what,
      whole(joins),
      whole(failures),
      short(p50Ms),
      short(p99Ms),
      `**${whole(longestMs)}**`,
      slowest === null ? '–' : describe(slowest),
    ]);
    const head = [
      'beside',
      'joins',
      'failed',
      'p50 ms',
      'p99 ms',
      'longest ms',
      'slowest statement',
    ];
    return `## The longest wait of a join on the embedded engine

${whole(members)} members, ${JOINS_A_SECOND} joins a second at random moments, whether or not others
have been answered; before each row, ${JOINING.seconds} s of joins as fast as they are answered. A
statement of the embedded engine holds up everybody; where the slowest took 20 ms, it is named.

${table(head, rows)}`;
  },
};

async function measureCase(scene: Scene, { what, seconds, disturb }: Case): Promise<CaseFigures> {
  const { product, ordersPort } = scene;
  await giveOrder(ordersPort);
  const [{ joined, failures, steps }] = await Promise.all([
    runLaunch({
      port: product.port,
      people: seconds * JOINS_A_SECOND,
      seconds,
      rushSeconds: 1,
      rushShare: 1 / seconds,
      pausesMs: [0],
      looksAtPage: false,
    }),
    pause(2_000).then(() => disturb(scene)),
  ]);
  const slow = await giveOrder(ordersPort);
  const { p50Ms, p99Ms, maxMs: longestMs } = steps.join;
  return {
    what,
    joins: joined,
    p50Ms,
    p99Ms,
    longestMs,
    failures: Object.values(failures).reduce((sum, count) => sum + count, 0),
    slowest: slow.toSorted((a, b) => b.ms - a.ms)[0] ?? null,
  };
}

function takeBackup({ product, dataDir }: Scene): Promise<unknown> {
  const program = join(thisCheckout.root, 'scripts/waitlist.ts');
  const env = { ...process.env, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(product.port) };
  return run(process.execPath, [program, 'backup', join(dataDir, 'bench.backup')], { env });
}

/** Resolves at once; recipients are found, and their mails kept as files, in the background. */
async function sendCampaign({ product, dataDir }: Scene): Promise<void> {
  const token = (await readFile(join(dataDir, 'operator-token'), 'utf8')).trim();
  const post = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${product.port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return await response.json();
  };
  const { campaign, revision } = await post(operatorPaths.campaigns, {
    subject: 'News for #{position}',
    body: 'You stand at {position}.',
    filter: {},
  });
  await post(operatorPaths.changes, {
    kind: 'send-campaign',
    input: { campaign, revision },
    reason: 'bench',
  });
}

function describe({ statement, ms, writeMs, syncMs, syncs }: SlowStatement): string {
  const words = statement.split(' ').slice(0, 5).join(' ');
  return `\`${words}\` ${whole(ms)} ms, writes ${whole(writeMs)}, ${syncs} fsyncs ${whole(syncMs)}`;
}
