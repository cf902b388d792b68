/** Plays the joins of the demo through the product's own join, at their times in the past. */
import type { Member } from '../contract/schemas.ts';
import type { JoinQueue } from '../server/line/join/join.ts';
import { moveClock } from '../test/support/moved-clock.ts';
import type { DrawnJoin } from './draw-joins.ts';

/** Joins in one transaction, and so at one moment. */
const MAX_AT_ONCE = 12;

export type Joined = Pick<Member, 'id' | 'referral_code'>;

/** From the member that `joined` lacks to the one before `end`. Sets the clock to their times. */
export async function playJoins(
  queue: Pick<JoinQueue, 'join'>,
  { joins, joined, end }: { joins: readonly DrawnJoin[]; joined: Joined[]; end: number },
): Promise<void> {
  while (joined.length < end) {
    const batch = nextBatch(
      joins.slice(joined.length, Math.min(end, joined.length + MAX_AT_ONCE)),
      joined.length,
    );
    moveClock(-(batch.at(-1) as DrawnJoin).agoMs);
    joined.push(...(await Promise.all(batch.map((one) => join(queue, one, joined)))));
  }
}

/** Up to the first who was invited by one of these: their code is not known before. */
function nextBatch(next: readonly DrawnJoin[], known: number): readonly DrawnJoin[] {
  const first = next.findIndex(({ inviter }) => inviter !== null && inviter >= known);
  return first === -1 ? next : next.slice(0, first);
}

async function join(
  queue: Pick<JoinQueue, 'join'>,
  { email, source, inviter }: DrawnJoin,
  joined: readonly Joined[],
): Promise<Joined> {
  const referredBy = inviter === null ? null : (joined[inviter]?.referral_code ?? null);
  const { body } = await queue.join({ email, referredBy, idempotencyKey: null, source });
  const { id, referral_code } = JSON.parse(body) as Member;
  return { id, referral_code };
}
