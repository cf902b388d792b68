/** A join as it comes from the web: counted first, proven where that raises the risk, then put in the line. */
import type { FastifyRequest } from 'fastify';
import { PROOF_HEADER } from '../../contract/paths.ts';
import { EmailLimitReached, type JoinRisk, type Limits } from '../limits/limits.ts';
import { Problem } from '../problem.ts';
import type { Proofs } from '../proof/proofs.ts';
import type { JoinAnswer, JoinQueue, JoinRequest } from './join.ts';

export type TakeJoin = (request: FastifyRequest, join: JoinRequest) => Promise<JoinAnswer>;

type TakeJoinOptions = {
  readonly limits: Pick<Limits, 'countJoin' | 'giveBackEmail'>;
  readonly proofs: Proofs;
  readonly joinQueue: Pick<JoinQueue, 'join' | 'recall'>;
  /** Told of every join that came to the line, once it is answered. */
  readonly onTaken: (answer: JoinAnswer, risk: JoinRisk) => void;
};

/** Counts the join against the limits of the request's address, asks for a proof where risk is raised, then puts it in the line. */
export function openTakeJoin({ limits, proofs, joinQueue, onTaken }: TakeJoinOptions): TakeJoin {
  return async (request, join) => {
    let risk: JoinRisk;
    try {
      risk = limits.countJoin({ ip: request.ip, email: join.email, code: join.referredBy });
    } catch (error) {
      const kept = error instanceof EmailLimitReached ? await joinQueue.recall(join) : null;
      if (kept === null) throw error;
      return kept;
    }
    const taken =
      risk === 'pass' ? joinQueue.join(join) : proofs.takeProven(join, request.headers[PROOF_HEADER], joinQueue.join);
    const answer = await taken.catch((error) => {
      if (isForLater(error)) limits.giveBackEmail(join.email);
      throw error;
    });
    onTaken(answer, risk);
    return answer;
  };
}

/** Nothing came of the request, by no fault of its sender. */
function isForLater(error: unknown): boolean {
  return error instanceof Problem && (error.retryAfterSeconds !== undefined || error.code === 'proof_required');
}
