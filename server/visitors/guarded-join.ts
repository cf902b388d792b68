import type { FastifyRequest } from 'fastify';
import { PROOF_HEADER } from '../../contract/paths.ts';
import { findReferralCode } from '../../contract/referral-code-rules.ts';
import type { JoinNetworks } from '../fairness/traces/join-networks.ts';
import { EmailLimitReached, type JoinRisk } from '../guard/limits/limits.ts';
import { openProofs } from '../guard/proof/proofs.ts';
import type { Counters } from '../line/funnel/counters.ts';
import type { JoinAnswer } from '../line/join/join.ts';
import type { JoinRequest } from '../line/join/join-request.ts';
import type { Line } from '../line/module.ts';
import { readAddress } from '../mail/email-rules.ts';
import type { Platform } from '../module.ts';
import { Problem } from '../problem.ts';

/** Rate limits, a proof of work if risky, then the line. Throws Problem. */
export type GuardedJoin = (request: FastifyRequest, join: JoinRequest) => Promise<JoinAnswer>;

export type JoinOptions = {
  readonly line: Line;
  readonly networks: JoinNetworks;
  readonly counters: Counters;
  readonly onJoined: () => void;
};

export function guardJoins(
  { secretKey, limits, metrics }: Platform,
  { line: { joinQueue }, networks, counters, onJoined }: JoinOptions,
): GuardedJoin {
  const proofs = openProofs({ secretKey });
  return (...args) =>
    guarded(...args).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'rate_limited')
        counters.countEvent('join_limited');
      if (error instanceof Problem && error.code === 'proof_required')
        counters.countEvent('proof_asked');
      throw error;
    });

  async function guarded(...[request, join]: Parameters<GuardedJoin>): Promise<JoinAnswer> {
    // Checked first, so that a mistyped address uses up no join.
    const address = readAddress(join.email);
    const { identity } = address;
    const code = join.referredBy === null ? null : findReferralCode(join.referredBy);
    let risk: JoinRisk;
    try {
      risk = limits.countJoin({ ip: request.ip, identity, code });
    } catch (error) {
      // A retry with its Idempotency-Key gets its answer, even while others enter the address.
      const earlier = error instanceof EmailLimitReached ? await joinQueue.recall(join) : null;
      if (earlier === null) throw error;
      return earlier;
    }
    const traced = { ...join, address, code, network: networks.hashOf(request.ip) };
    try {
      const answer = await (risk === 'pass'
        ? joinQueue.join(traced)
        : proofs.admitProven(traced, request.headers[PROOF_HEADER], joinQueue.join));
      // Addresses that joined take no space in the window, however many join at once.
      if (answer.statusCode === 201) limits.refundEmail(identity);
      countAnswer(answer, risk);
      return answer;
    } catch (error) {
      if (isRetryable(error)) limits.refundEmail(identity);
      throw error;
    }
  }

  function countAnswer({ statusCode }: JoinAnswer, risk: JoinRisk): void {
    onJoined();
    metrics.countJoin(statusCode === 201 ? 'joined' : 'already_registered');
    if (risk !== 'prove') return;
    metrics.countProof();
    counters.countEvent('proof_brought');
  }
}

function isRetryable(error: unknown): boolean {
  return (
    error instanceof Problem &&
    (error.retryAfterSeconds !== undefined || error.code === 'proof_required')
  );
}
