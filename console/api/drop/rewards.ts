/** Calls about the rewards of tiers. What moves them are changes. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import type { RewardState } from '../../../contract/operator/rewards/reward-changes.ts';
import type { RewardPage, Rewards } from '../../../contract/operator/rewards/rewards.ts';
import { request, requestFile } from '../request.ts';

const rewardsKey = ['rewards'];
/** The server may answer with counts from just before a change. */
const REFRESH_MS = 5_000;

export const rewardsQuery = queryOptions({
  queryKey: [...rewardsKey, 'tiers'],
  queryFn: ({ signal }) => request<Rewards>({ path: operatorPaths.rewards, signal }),
  refetchInterval: REFRESH_MS,
});

/** Members whose reward of the tier is in the state, page after page. */
export const rewardListQuery = (tier: number, state: RewardState) =>
  infiniteQueryOptions({
    queryKey: [...rewardsKey, 'list', tier, state],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ state, ...(pageParam !== null && { after: pageParam }) });
      const path = fillPath(operatorPaths.rewardsOfTier, String(tier));
      return request<RewardPage>({ path: `${path}?${query}`, signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

/** All rewards of the tier as CSV, with where to send them. */
export async function exportRewards(tier: number): Promise<Blob> {
  return await requestFile({ path: fillPath(operatorPaths.exportRewards, String(tier)) });
}
