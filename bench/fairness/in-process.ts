/** Runs a line through the rules alone: no server, no database, no clock. */
import type { Fairness } from '../../brand/brand-shape.ts';
import { type AssessedJoin, openAssessor } from '../../server/fairness/assessor.ts';
import { Flag, openJoinMemory } from '../../server/fairness/join-memory.ts';
import { networksOf } from '../../server/fairness/networks-of.ts';
import { hash32 } from '../../server/fairness/text-hash.ts';
import { readEmail } from '../../server/mail/email-rules.ts';
import type { Verdict } from './make-line.ts';
import type { Visit } from './visit.ts';

const FAST_SECONDS = 3;

/** `atOnce`: as each join was decided. `lookingBack`: with what became known until the end. */
export function judge(
  visits: readonly Visit[],
  fairness: Fairness,
): { atOnce: Verdict[]; lookingBack: Verdict[] } {
  const memory = openJoinMemory(1 << 15);
  const assessor = openAssessor(memory, fairness);
  const joins = visits.map((visit) => {
    const join = assessor.remember(readVisit(visit, fairness));
    const verdict = verdictOf(visit, join);
    memory.setOwnCode(join, hash32(visit.person));
    return { join, verdict };
  });
  const atOnce = joins.map(({ verdict }) => verdict);
  const lookingBack = joins.map(({ join, verdict }) => {
    const later = verdictOf(verdict.visit, join);
    return verdict.isHeld ? verdict : later;
  });
  return { atOnce, lookingBack };

  function verdictOf(visit: Visit, join: number): Verdict {
    const doubt = assessor.doubt(join);
    return {
      visit,
      isHeld: (doubt?.score ?? 0) >= fairness.holdAt,
      rules: doubt?.rules ?? [],
    };
  }
}

function readVisit(visit: Visit, { couponWords }: Fairness): AssessedJoin {
  const networks = networksOf(visit.ip, true);
  const { secondsOnPage, referringHost } = visit;
  return {
    identity: readEmail(visit.email)?.identity ?? '',
    code: visit.referrer,
    narrow: hash32(networks?.narrow ?? ''),
    wide: hash32(networks?.wide ?? ''),
    hints: hash32(visit.userAgent + visit.language),
    flags:
      (secondsOnPage === null ? 0 : Flag.pageLoaded) |
      (secondsOnPage !== null && secondsOnPage < FAST_SECONDS ? Flag.fast : 0) |
      (couponWords.some((word) => referringHost?.includes(word)) ? Flag.coupon : 0),
    at: visit.at,
  };
}
