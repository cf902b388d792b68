import type { Member } from '../../contract/schemas.ts';
import type { JoinRequest } from '../../server/line/join/join-request.ts';
import { goTo } from '../clock.ts';
import type { DrawnJoin } from './draw-joins.ts';

/** Members who join in one transaction have the same time of joining. */
const MAX_AT_ONCE = 12;

export type Joined = Pick<Member, 'id' | 'referral_code' | 'email'>;

export type Line = { readonly joins: readonly DrawnJoin[]; readonly joined: Joined[] };

export type Join = (request: JoinRequest) => Promise<{ readonly body: string }>;

export async function playJoins(join: Join, { joins, joined }: Line, end: number): Promise<void> {
  while (joined.length < end) {
    const next = joins.slice(joined.length, Math.min(end, joined.length + MAX_AT_ONCE));
    const batch = nextBatch(next, joined.length);
    goTo((batch.at(-1) as DrawnJoin).agoMs);
    joined.push(
      ...(await Promise.all(
        batch.map((drawn) =>
          joinLine(join, drawn, drawn.inviter === null ? null : (joined[drawn.inviter] ?? null)),
        ),
      )),
    );
  }
}

/** The joins before the first friend of one of them, whose code is known only after joining. */
function nextBatch(next: readonly DrawnJoin[], known: number): readonly DrawnJoin[] {
  const first = next.findIndex(({ inviter }) => inviter !== null && inviter >= known);
  return first === -1 ? next : next.slice(0, first);
}

export async function joinLine(
  join: Join,
  { email, source }: Pick<DrawnJoin, 'email' | 'source'>,
  inviting: Pick<Joined, 'referral_code'> | null,
): Promise<Joined> {
  const referredBy = inviting?.referral_code ?? null;
  const { body } = await join({ email, referredBy, idempotencyKey: null, source });
  return JSON.parse(body) as Member;
}
