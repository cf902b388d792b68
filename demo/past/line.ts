import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import type { Database } from '../../server/db/database.ts';
import { openJoinQueue } from '../../server/line/join/join.ts';
import { goTo } from '../clock.ts';
import type { DrawnJoin } from './draw-joins.ts';

/** Members who join in one transaction have the same time of joining. */
const MAX_AT_ONCE = 12;

export type Joined = Pick<Member, 'id' | 'referral_code' | 'email'>;

export type Line = ReturnType<typeof openLine>;

/** A line that is joined as drawn, and by whoever else `join`s. */
export function openLine(database: Database, joins: readonly DrawnJoin[]) {
  const queue = openJoinQueue({ database, brand });
  const joined: Joined[] = [];

  async function join(
    { email, source }: Pick<DrawnJoin, 'email' | 'source'>,
    inviter: Joined | undefined,
  ): Promise<Joined> {
    const referredBy = inviter?.referral_code ?? null;
    const { body } = await queue.join({ email, referredBy, idempotencyKey: null, source });
    return JSON.parse(body) as Member;
  }

  /** The joins before the first friend of one of them, whose code is known only after joining. */
  function nextBatch(end: number): readonly DrawnJoin[] {
    const known = joined.length;
    const next = joins.slice(known, Math.min(end, known + MAX_AT_ONCE));
    const first = next.findIndex(({ inviter }) => inviter !== null && inviter >= known);
    return first === -1 ? next : next.slice(0, first);
  }

  return {
    joins,
    joined,
    join,
    async playUntil(endMs: number): Promise<void> {
      const later = joins.findIndex(({ agoMs }) => agoMs < endMs);
      const end = later === -1 ? joins.length : later;
      while (joined.length < end) {
        const batch = nextBatch(end);
        goTo((batch.at(-1) as DrawnJoin).agoMs);
        const joining = batch.map((drawn) => join(drawn, joined[drawn.inviter ?? -1]));
        joined.push(...(await Promise.all(joining)));
      }
    },
    close: queue.close,
  };
}
