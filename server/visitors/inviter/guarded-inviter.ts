/** A member names their inviter: rate limits, fraud signals about the credit, then the line. */
import type { FastifyRequest } from 'fastify';
import type { Brand } from '../../../brand/brand-shape.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import type { FairnessGuard } from '../../fairness/fairness.ts';
import type { Limits } from '../../guard/limits/limits.ts';
import { Problem } from '../../problem.ts';
import { getInvited, giveInviter, type Invited } from './give-inviter.ts';
import { readInvite } from './inviter-rules.ts';

type Naming = {
  readonly memberId: string;
  /** As typed: a code, or a link with one. */
  readonly invite: string;
};

export type Inviters = {
  /** Whether the member may name one. Throws Problem unknown_member or unavailable. */
  ask(memberId: string): Promise<Invited>;
  /**
   * Throws Problem rate_limited, unknown_member, invalid_field for what is no member's code,
   * conflict when the member may not name this inviter, or unavailable.
   */
  give(request: FastifyRequest, naming: Naming): Promise<void>;
};

type GuardOptions = {
  readonly config: Pick<Config, 'publicUrl' | 'referralCredit'>;
  readonly brand: Pick<Brand, 'fairness'>;
  readonly database: Database;
  readonly limits: Pick<Limits, 'countInviter' | 'admitLookUp' | 'countWrongCode'>;
  readonly fairness: Pick<FairnessGuard, 'watchInviter'>;
};

/** Wrong codes count as guesses, as those of invite links do. */
export function guardInviters({
  config: { publicUrl, referralCredit },
  brand,
  database,
  limits,
  fairness,
}: GuardOptions): Inviters {
  const { host: ownHost } = new URL(publicUrl);
  const { holdAt: holdThreshold } = brand.fairness;

  async function give(request: FastifyRequest, naming: Naming): Promise<void> {
    const { memberId, invite: text } = naming;
    limits.countInviter(request.ip);
    limits.admitLookUp(request.ip);
    const member = await getInvited(database, memberId);
    if (member.refusal !== null) throw member.refusal;
    const invite = readInvite(text, [ownHost, request.host]);
    if (invite === null)
      throw new Problem(
        'invalid_field',
        'This is not an invite link of this site, nor a code of ten letters and digits.',
      );
    const watched = fairness.watchInviter(request, {
      memberId: member.id,
      identity: member.identity,
      ownCode: member.code,
      code: invite.code,
    });
    try {
      const { signals, ownMailbox } = watched;
      const credit = { signals, ownMailbox, referralCredit, holdThreshold };
      await giveInviter(database, member, { invite, ...credit });
    } catch (error) {
      watched.settle(false);
      if (error instanceof Problem && error.code === 'invalid_field')
        limits.countWrongCode(request.ip);
      throw error;
    }
    watched.settle(true);
  }

  return { ask: (memberId) => getInvited(database, memberId), give };
}
