/** Intercepts a page's API calls to make them slow, failing, silent or wrong. */
import type { Page } from 'playwright-core';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Member, Stats } from '../../contract/schemas.ts';
import { type Answer, answerPath, leaveToServer, type SeenCall } from './paused-calls.ts';

const paths = {
  join: apiPaths.join,
  status: fillPath(apiPaths.status, '*'),
  live: fillPath(apiPaths.live, '*'),
  inviter: fillPath(apiPaths.inviter, '*'),
  stats: apiPaths.stats,
  faces: apiPaths.faces,
  drop: apiPaths.drop,
  verifyReferral: fillPath(apiPaths.verifyReferral, '*'),
};

type Call = keyof typeof paths;

export const MEMBER: Member = {
  id: '3f0f5a52-2a52-4f0e-9d3e-6f5f3b1d2c11',
  email: 'member@example.com',
  referral_code: 'GH05T1GH05',
  position: 128,
  referral_count: 1,
  joined_referrals: 1,
  confirmed_referrals: 1,
  settled_referrals: 1,
  is_confirmed: true,
  tier_level: 0,
  next_tier: { required_referrals: 3, reward: 'A shirt' },
  rewards_unlocked: [],
};

export const STATS: Stats = {
  total_signups: 2417,
  available_masks: 97,
  top_referrers: [{ referrals: 41 }],
};

/** A browser does not reconnect after this answer. */
export const NO_STREAM: Answer = { status: 204, text: '' };

/**
 * Every such call gets `answer`; a later `answerCall` replaces it. Returns the calls, as they come.
 */
export async function answerCall(page: Page, call: Call, answer: Answer): Promise<SeenCall[]> {
  const seen: SeenCall[] = [];
  answerPath(page, paths[call], (one) => {
    seen.push(one);
    return answer;
  });
  return seen;
}

/** Keeps the call open until `release`. */
export async function holdCall(
  page: Page,
  call: Call,
): Promise<{ readonly seen: SeenCall[]; release(answer: Answer): void }> {
  const seen: SeenCall[] = [];
  const { promise, resolve } = Promise.withResolvers<Answer>();
  answerPath(page, paths[call], (one) => {
    seen.push(one);
    return promise;
  });
  return { seen, release: resolve };
}

/** The next calls reach the server. */
export const stopAnswering = (page: Page, call: Call) => leaveToServer(page, paths[call]);

/** Shows this member on the status page. All friends have confirmed, unless `member` differs. */
export async function answerStatus(
  page: Page,
  member: Partial<Member> = {},
  stats: Partial<Stats> = {},
): Promise<void> {
  const { referral_count: count = MEMBER.referral_count } = member;
  const friends = { joined_referrals: count, confirmed_referrals: count, settled_referrals: count };
  await answerCall(page, 'status', { json: { ...MEMBER, ...friends, ...member } });
  await answerCall(page, 'stats', { json: { ...STATS, ...stats } });
}
