/**
 * The crowd as a process: opens its connections, lets each member look at their offer, tells the
 * parent, and sends the clicks when each is due, whether or not others have been answered.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { apiPaths } from '../../contract/paths.ts';
import { type Connection, openConnection } from '../load/connection.ts';
import { postText } from '../load/requests.ts';
import type { Click } from './clicks.ts';
import type { CrowdLooks, CrowdOrder, CrowdResult, Reply } from './crowd.ts';

const replies: Reply[] = [];
const lateMs: number[] = [];
const open = new Set<Promise<void>>();
let pools: Pool[] = [];
let beganAt = 0;

type Pool = { readonly free: Connection[]; readonly waiting: ((one: Connection) => void)[] };

process.on('message', (order: CrowdOrder) => void follow(order));

async function follow(order: CrowdOrder): Promise<void> {
  if (order.do === 'open') {
    pools = order.ports.map((port) => ({
      free: Array.from({ length: order.connections }, () => openConnection(port)),
      waiting: [],
    }));
    await Promise.all(
      pools.map((pool, index) =>
        look(
          pool,
          order.looks.filter((_, number) => number % pools.length === index),
        ),
      ),
    );
    process.send?.('open');
  }
  if (order.do === 'click') {
    beganAt = performance.now();
    const cpuBefore = process.cpuUsage();
    await sendInTime(order.clicks);
    while (open.size > 0) await Promise.all(open);
    const { user, system } = process.cpuUsage(cpuBefore);
    const result: CrowdResult = {
      replies,
      lateMs,
      seconds: (performance.now() - beganAt) / 1000,
      cpuSeconds: (user + system) / 1e6,
    };
    process.send?.(result, () => process.disconnect());
  }
  // Members who are offered a mask meanwhile, and click at once.
  if (order.do === 'add') for (const click of order.clicks) begin({ ...click, atMs: elapsed() });
}

async function sendInTime(clicks: readonly Click[]): Promise<void> {
  for (const click of clicks) {
    const waitMs = click.atMs - elapsed();
    if (waitMs > 1) await pause(waitMs);
    begin(click);
  }
}

function begin(click: Click): void {
  lateMs.push(elapsed() - click.atMs);
  const one = send(click).finally(() => open.delete(one));
  open.add(one);
}

/** Times count from the moment at which a click was due, and so include a wait for a connection. */
async function send({ kind, token, atMs, memberId, server }: Click): Promise<void> {
  const pool = pools[server] as Pool;
  const connection =
    pool.free.pop() ?? (await new Promise<Connection>((resolve) => pool.waiting.push(resolve)));
  const answer = await connection
    .ask(requestText(apiPaths.acceptOffer(), token, memberId))
    .catch((error: Error) => ({ status: 0, body: error.message }));
  const next = pool.waiting.shift();
  if (next === undefined) pool.free.push(connection);
  else next(connection);
  const code = /"code":"([^"]+)"/.exec(answer.body)?.[1] ?? null;
  replies.push({ kind, memberId, status: answer.status, code, ms: elapsed() - atMs });
}

/** As the pages of members do when they are opened, a few at a time, on each connection in turn. */
async function look({ free }: Pool, looks: CrowdLooks): Promise<void> {
  const atOnce = Math.min(32, free.length);
  for (let first = 0; first < looks.length; first += atOnce)
    await Promise.all(
      looks.slice(first, first + atOnce).map(async ({ token, memberId }, index) => {
        const connection = free[(first + index) % free.length] as Connection;
        const { status } = await connection.ask(requestText(apiPaths.offer(), token, memberId));
        if (status !== 200) throw new Error(`A look at an offer was answered ${status}.`);
      }),
    );
}

/** Each member comes from an address of their own, as a proxy tells it. */
function requestText(path: string, token: string, memberId: string): string {
  const [a, b, c] = Buffer.from(memberId.slice(-6), 'hex');
  const ip = `60.${a}.${b}.${c}`;
  return postText(path, JSON.stringify({ token }), `x-forwarded-for: ${ip}\r\n`);
}

function elapsed(): number {
  return performance.now() - beganAt;
}
