/** Runs a line through the rules alone: no server, no database, no clock. */
import type { Fairness } from '../../brand/brand-shape.ts';
import { type AssessedJoin, openAssessor } from '../../server/fairness/assessor.ts';
import { Flag, hash32, openJoinMemory } from '../../server/fairness/join-memory.ts';
import { networksOf } from '../../server/fairness/networks-of.ts';
import { readEmail } from '../../server/mail/email-rules.ts';
import type { Outcome } from './figures.ts';
import type { KnownVisit } from './visit.ts';

const FAST_SECONDS = 3;

export function judge(visits: readonly KnownVisit[], fairness: Fairness): Outcome[] {
  const memory = openJoinMemory(1 << 15);
  const assessor = openAssessor(memory, fairness);
  const isHeld = (visit: KnownVisit, join: number) =>
    visit.referrer !== null && (assessor.assess(join)?.score ?? 0) >= fairness.holdAt;
  const joins = visits.map((visit) => {
    const join = assessor.remember(readVisit(visit, fairness));
    const isHeldAtJoin = isHeld(visit, join);
    memory.setOwnCode(join, hash32(visit.person));
    return { visit, join, isHeldAtJoin };
  });
  return joins.map(({ visit, join, isHeldAtJoin }) => ({
    visit,
    isRefused: false,
    neededProof: false,
    isHeldAtJoin,
    isHeld: isHeldAtJoin || isHeld(visit, join),
  }));
}

function readVisit(visit: KnownVisit, { couponWords }: Fairness): AssessedJoin {
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
