/** A client that keeps joining from one address, each time through another server. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { apiPaths } from '../../../contract/paths.ts';
import type { Member } from '../../../contract/schemas.ts';
import { JOINS_PER_IP } from '../../../server/guard/limits/limit-rules.ts';
import type { History } from '../../faults/history.ts';

export type SpentLimit = {
  readonly sent: number;
  readonly joined: number;
  /** Asked for a proof of work, 428, which counts like a join. */
  readonly asked: number;
  /** 429. */
  readonly refused: number;
  /**
   * At most this many may pass: the limit, and those that come before the servers have
   * synchronised.
   */
  readonly most: number;
  /** Servers asked afterwards, and those of them that refused. */
  readonly servers: number;
  readonly refusing: number;
};

const ADDRESS = '203.0.113.77';
const EVERY_MS = 50;
const BEYOND = 100;
/** The servers synchronise twice a second. */
const SETTLED_MS = 2_000;

export async function spendLimit(
  url: string,
  { serverUrls, history }: { serverUrls: readonly string[]; history: History },
): Promise<SpentLimit> {
  const sent = JOINS_PER_IP.max + BEYOND;
  const statuses: number[] = [];
  for (let round = 0; round < sent; round += 1) {
    statuses.push(await joinFrom(ADDRESS, { url, history }));
    await delay(EVERY_MS);
  }
  await delay(SETTLED_MS);
  const afterwards = await Promise.all(
    serverUrls.map((server) => joinFrom(ADDRESS, { url: server, history })),
  );
  const count = (status: number, of = statuses) => of.filter((each) => each === status).length;
  return {
    sent,
    joined: count(201),
    asked: count(428),
    refused: count(429),
    most:
      JOINS_PER_IP.max +
      (serverUrls.length - 1) * JOINS_PER_IP.sharedFrom +
      Math.ceil(1_000 / EVERY_MS),
    servers: serverUrls.length,
    refusing: count(429, afterwards),
  };
}

async function joinFrom(
  address: string,
  { url, history }: { url: string; history: History },
): Promise<number> {
  history.askJoin(null);
  const answer = await fetch(url + apiPaths.join, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
      'x-forwarded-for': address,
    },
    body: JSON.stringify({ email: `${randomUUID()}@example.com`, referred_by: null }),
  });
  if (answer.status === 201) history.acknowledgeJoin((await answer.json()) as Member, null);
  else await answer.text();
  return answer.status;
}
