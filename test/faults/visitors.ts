/** Visitors who join, come again with the same join until it is answered, and look at the line in between. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { apiPaths } from '../../contract/paths.ts';
import type { Member, Stats } from '../../contract/schemas.ts';
import type { History } from './history.ts';

const AGAIN_AFTER_MS = 50;
/** Every so many joins one looks at the totals. */
const JOINS_A_LOOK = 8;

export type Visitors = {
  /** How many times they were asked to come again later. */
  refusals(): number;
  /** Lets everybody have an answer: the server must be there. */
  stop(): Promise<void>;
};

/** `count` at once, each the next join as soon as the last is answered, or after a pause; every second one comes by invite. */
export function startVisitors(url: string, count: number, history: History, { pauseMs = 0 } = {}): Visitors {
  let isRunning = true;
  let refusals = 0;

  async function visit(): Promise<void> {
    for (let turn = 0; isRunning; turn += 1) {
      await joinUntilAnswered(turn % 2 === 0 ? pick(history.members) : null);
      const somebody = pick(history.members);
      if (somebody !== null) await lookAt(somebody);
      if (turn % JOINS_A_LOOK === 0) await lookAtTotals();
      if (pauseMs > 0) await delay(pauseMs * Math.random() * 2);
    }
  }

  async function joinUntilAnswered(inviter: Member | null): Promise<void> {
    const email = `${randomUUID()}@example.com`;
    const request = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ email, referred_by: inviter?.referral_code ?? null }),
    };
    history.askJoin(inviter);
    for (;;) {
      const answer = await ask<Member>(apiPaths.join(), request);
      if (answer?.status === 201) return history.acknowledgeJoin(answer.body, inviter);
      if (answer !== null) return history.note(email, `is answered ${answer.status} ${JSON.stringify(answer.body)}`);
      await delay(AGAIN_AFTER_MS);
    }
  }

  async function lookAt(member: Member): Promise<void> {
    const see = history.beginStatus(member);
    const answer = await ask<Member>(apiPaths.status(member.id));
    if (answer !== null) see(answer.status === 200 ? answer.body : null);
  }

  async function lookAtTotals(): Promise<void> {
    const see = history.beginStats();
    const answer = await ask<Stats>(apiPaths.stats());
    if (answer?.status === 200) see(answer.body);
    else if (answer !== null) history.note('The total', `is answered ${answer.status}`);
  }

  /** Null without an answer, and for the one that is right while something is broken: 503, and when to come again. */
  async function ask<T>(path: string, request?: RequestInit): Promise<{ status: number; body: T } | null> {
    try {
      const answer = await fetch(`${url}${path}`, request);
      const body = (await answer.json()) as T;
      if (answer.status !== 503) return { status: answer.status, body };
      refusals += 1;
      if (!/^[1-9]\d*$/.test(answer.headers.get('retry-after') ?? ''))
        history.note(path, 'is answered 503 without Retry-After');
    } catch {
      // The connection broke.
    }
    return null;
  }

  const visits = Array.from({ length: count }, visit);
  return {
    refusals: () => refusals,
    async stop() {
      isRunning = false;
      await Promise.all(visits);
    },
  };
}

/** Answers when so many more have joined than when it was called. */
export async function untilJoined(history: History, more: number): Promise<void> {
  const before = history.members.length;
  while (history.members.length < before + more) await delay(10);
}

/** Milliseconds from the beginning of `mend` until it is done and somebody has joined. */
export async function timeReturn(history: History, mend: () => void | Promise<void>): Promise<number> {
  const since = performance.now();
  const joined = untilJoined(history, 1);
  await mend();
  await joined;
  return performance.now() - since;
}

function pick(members: readonly Member[]): Member | null {
  return members[Math.floor(Math.random() * members.length)] ?? null;
}
