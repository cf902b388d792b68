import { operatorPaths } from '../../contract/operator/paths.ts';
import type { RewardPage, Rewards } from '../../contract/operator/rewards/rewards.ts';
import { fillPath } from '../../contract/paths.ts';
import type { RewardState } from '../../contract/rewards.ts';
import { read, readPages, withQuery } from './queries.ts';
import { requestFile } from './request.ts';

/** The server may answer with counts from just before a change. */
const REFRESH_MS = 5_000;

export const rewardsQuery = read<Rewards>(operatorPaths.rewards, REFRESH_MS);

export const rewardListQuery = (tier: number, state: RewardState) =>
  readPages<RewardPage>((after) =>
    withQuery(fillPath(operatorPaths.rewardsOfTier, String(tier)), { state, after }),
  );

export const exportRewards = (tier: number) =>
  requestFile({ path: fillPath(operatorPaths.exportRewards, String(tier)) });
