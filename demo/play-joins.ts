/** Plays the joins of the demo through the product's own join, at their times. */
import type { Member } from '../contract/schemas.ts';
import type { JoinRequest } from '../server/line/join/join.ts';
import type { DrawnJoin } from './draw/draw-joins.ts';
import { goTo } from './stage.ts';

/** Joins in one transaction, and so at one moment. */
const MAX_AT_ONCE = 12;

export type Joined = Pick<Member, 'id' | 'referral_code' | 'email'>;

export type Join = (request: JoinRequest) => Promise<{ readonly body: string }>;

/** `joined` has the first of `joins`. */
export type Line = { readonly joins: readonly DrawnJoin[]; readonly joined: Joined[] };

/** From the first who has not joined to the one before `end`. */
export async function playJoins(
  join: Join,
  { line: { joins, joined }, end }: { line: Line; end: number },
): Promise<void> {
  while (joined.length < end) {
    const next = joins.slice(joined.length, Math.min(end, joined.length + MAX_AT_ONCE));
    const batch = nextBatch(next, joined.length);
    goTo((batch.at(-1) as DrawnJoin).agoMs);
    joined.push(
      ...(await Promise.all(
        batch.map(({ email, source, inviter }) => {
          const inviting = inviter === null ? null : (joined[inviter] ?? null);
          return joinLine(join, { email, source, inviting });
        }),
      )),
    );
  }
}

/** Up to the first who was invited by one of these: their code is not known before. */
function nextBatch(next: readonly DrawnJoin[], known: number): readonly DrawnJoin[] {
  const first = next.findIndex(({ inviter }) => inviter !== null && inviter >= known);
  return first === -1 ? next : next.slice(0, first);
}

type Joining = Pick<DrawnJoin, 'email' | 'source'> & {
  readonly inviting: Pick<Joined, 'referral_code'> | null;
};

/** One join, now. */
export async function joinLine(join: Join, { email, source, inviting }: Joining): Promise<Joined> {
  const referredBy = inviting?.referral_code ?? null;
  const { body } = await join({ email, referredBy, idempotencyKey: null, source });
  return JSON.parse(body) as Member;
}
