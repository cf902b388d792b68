/** Visitors that join, retry the same join until it is answered, and read statuses in between. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { seedRandom } from '../../brand/art/seeded-random.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Member, Stats } from '../../contract/schemas.ts';
import { isLong } from '../support/test-form.ts';
import type { History } from './history.ts';

const AGAIN_AFTER_MS = 50;
/** A visitor reads the totals once in so many joins. */
const JOINS_PER_TOTALS = 8;
/** The short form leaves the processor to what is tested. */
const PAUSE_MS = isLong ? 0 : 100;

export type Visitors = ReturnType<typeof startVisitors>;

/**
 * `count` at once, each joining again a pause after the last answer, every second time by invite.
 * The seed decides whom a visitor picks and how long they pause.
 */
export function startVisitors(url: string, count: number, history: History) {
  let isRunning = true;
  let refusals = 0;

  async function visit(visitor: number): Promise<void> {
    const random = seedRandom(`${process.env.TEST_SEED} ${visitor}`);
    const pick = (): Member | null =>
      history.members[Math.floor(random.between(0, history.members.length))] ?? null;
    for (let round = 0; isRunning; round += 1) {
      await joinUntilAnswered(round % 2 === 0 ? pick() : null);
      const somebody = pick();
      if (somebody !== null) await lookAt(somebody);
      if (round % JOINS_PER_TOTALS === 0) await lookAtTotals();
      if (PAUSE_MS > 0) await delay(random.between(0, 2 * PAUSE_MS));
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
      const answer = await ask<Member>(apiPaths.join, request);
      if (answer?.status === 201) return history.acknowledgeJoin(answer.body, inviter);
      if (answer !== null)
        return history.note(email, `is answered ${answer.status} ${JSON.stringify(answer.body)}`);
      await delay(AGAIN_AFTER_MS);
    }
  }

  async function lookAt(member: Member): Promise<void> {
    const see = history.beginStatus(member);
    const answer = await ask<Member>(fillPath(apiPaths.status, member.id));
    if (answer !== null) see(answer.status === 200 ? answer.body : null);
  }

  async function lookAtTotals(): Promise<void> {
    const see = history.beginStats();
    const answer = await ask<Stats>(apiPaths.stats);
    if (answer?.status === 200) see(answer.body);
    else if (answer !== null) history.note('The total', `is answered ${answer.status}`);
  }

  /**
   * Null without an answer, and for a 503 with Retry-After, which is right while something is
   * broken.
   */
  async function ask<T>(
    path: string,
    request?: RequestInit,
  ): Promise<{ status: number; body: T } | null> {
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

  const visits = Array.from({ length: count }, (_, visitor) => visit(visitor));
  return {
    /** How many answers were 503 with Retry-After. */
    refusals: () => refusals,
    /** Waits until every join is answered: the server must be up. */
    async stop() {
      isRunning = false;
      await Promise.all(visits);
    },
  };
}

/** Resolves when `more` have joined since the call. */
export async function untilJoined(history: History, more: number): Promise<void> {
  const before = history.members.length;
  while (history.members.length < before + more) await delay(10);
}

/** Milliseconds from the start of `mend` until it is done and somebody has joined. */
export async function timeReturn(
  history: History,
  mend: () => void | Promise<void>,
): Promise<number> {
  const since = performance.now();
  const joined = untilJoined(history, 1);
  await mend();
  await joined;
  return performance.now() - since;
}
