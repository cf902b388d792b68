/** Visitors that keep joining over HTTP until stopped, and remember every acknowledged join. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { isLong } from '../support/test-form.ts';

/** The short form leaves the processor to what is tested. */
const PAUSE_MS = isLong ? 0 : 50;

/** `visitors` at once, each joining again after the last answer, every second time by invite. */
export function startJoinLoad(urls: readonly string[], visitors: number) {
  const acknowledged: Member[] = [];
  let isRunning = true;

  async function keepJoining(visitor: number): Promise<void> {
    for (let round = 0; isRunning; round += 1) {
      const inviter =
        round % 2 === 0 ? acknowledged[Math.floor(Math.random() * acknowledged.length)] : undefined;
      const url = urls[(visitor + round) % urls.length] ?? '';
      const answer = await joinOverHttp(
        url,
        `${randomUUID()}@example.com`,
        inviter?.referral_code ?? null,
      ).catch(() => null);
      if (answer === null) return;
      if (answer.status === 201) acknowledged.push((await answer.json()) as Member);
      await delay(PAUSE_MS);
    }
  }

  const visits = Array.from({ length: visitors }, (_, visitor) =>
    keepJoining(visitor).catch(() => {}),
  );
  return {
    acknowledged: acknowledged as readonly Member[],
    /** Waits for requests under way; those that a dead server cut off are not acknowledged. */
    async stop() {
      isRunning = false;
      await Promise.all(visits);
    },
  };
}

/** One join; rejects when the connection breaks. */
export async function joinOverHttp(
  url: string,
  email: string,
  referredBy: string | null,
): Promise<Response> {
  return fetch(`${url}${apiPaths.join}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ email, referred_by: referredBy }),
  });
}

/** The status of a member, or null when nobody has that id. */
export async function statusOverHttp(url: string, memberId: string): Promise<Member | null> {
  const answer = await fetch(`${url}${fillPath(apiPaths.status, memberId)}`);
  return answer.status === 200 ? ((await answer.json()) as Member) : null;
}
