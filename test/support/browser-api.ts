/** Intercepts a page's API calls to make them slow, failing, silent or wrong. */
import type { Page, Route } from 'playwright-core';
import { apiPaths } from '../../contract/paths.ts';
import type { Member, Stats } from '../../contract/schemas.ts';

const addresses = {
  join: `**${apiPaths.join()}`,
  status: `**${apiPaths.status('*').replace('%2A', '*')}`,
  secondLook: `**${apiPaths.secondLook('*').replace('%2A', '*')}`,
  inviter: `**${apiPaths.inviter('*').replace('%2A', '*')}`,
  stats: `**${apiPaths.stats()}`,
  verifyReferral: `**${apiPaths.verifyReferral('*').replace('%2A', '*')}`,
};

type Call = keyof typeof addresses;

/** The answer to a call: JSON, any text, no answer at all, or a broken connection. */
export type Answer =
  | { readonly status?: number; readonly json: unknown }
  | { readonly status?: number; readonly text: string; readonly contentType?: string }
  | 'silence'
  | 'break';

export type SeenCall = {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

export const MEMBER: Member = {
  id: '3f0f5a52-2a52-4f0e-9d3e-6f5f3b1d2c11',
  email: 'member@example.com',
  referral_code: 'GH05T1GH05',
  position: 128,
  referral_count: 1,
  tier_level: 0,
  next_tier: { required_referrals: 3, reward: 'A shirt' },
  rewards_unlocked: [],
};

export const STATS: Stats = {
  total_signups: 2417,
  available_masks: 97,
  top_referrers: [{ referrals: 41 }],
};

/**
 * Every such call gets `answer`; a later `answerCall` replaces it. Returns the calls, as they come.
 */
export async function answerCall(page: Page, call: Call, answer: Answer): Promise<SeenCall[]> {
  const seen: SeenCall[] = [];
  await page.route(addresses[call], async (route) => {
    seen.push(describe(route));
    await fulfil(route, answer);
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
  await page.route(addresses[call], async (route) => {
    seen.push(describe(route));
    await fulfil(route, await promise);
  });
  return { seen, release: resolve };
}

/** Shows this member on the status page. */
export async function answerStatus(
  page: Page,
  member: Partial<Member> = {},
  stats: Partial<Stats> = {},
): Promise<void> {
  await answerCall(page, 'status', { json: { ...MEMBER, ...member } });
  await answerCall(page, 'stats', { json: { ...STATS, ...stats } });
}

function describe(route: Route): SeenCall {
  const request = route.request();
  const text = request.postData();
  return { body: text === null ? null : JSON.parse(text), headers: request.headers() };
}

async function fulfil(route: Route, answer: Answer): Promise<void> {
  if (answer === 'silence') return;
  if (answer === 'break') return route.abort();
  const { status = 200 } = answer;
  if ('json' in answer) return route.fulfill({ status, json: answer.json });
  return route.fulfill({
    status,
    body: answer.text,
    contentType: answer.contentType ?? 'application/json',
  });
}
