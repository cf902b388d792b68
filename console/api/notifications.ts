import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  Campaign,
  CampaignRequest,
  Campaigns,
} from '../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { post, read, readPages } from './queries.ts';
import { request } from './request.ts';

const POLL_MS = 2_000;

export const campaignPath = (number: number) => fillPath(operatorPaths.campaign, number);

export const campaignsQuery = infiniteQueryOptions({
  ...readPages<Campaigns>(operatorPaths.campaigns, 'before'),
  refetchInterval: ({ state }) => {
    const campaigns = state.data?.pages.flatMap((page) => page.campaigns) ?? [];
    return campaigns.some((one) => one.state === 'sending') ? POLL_MS : false;
  },
});

export const campaignQuery = (number: number) =>
  queryOptions({
    ...read<Campaign>(campaignPath(number)),
    refetchInterval: ({ state }) => (state.data?.state === 'sending' ? POLL_MS : false),
  });

export const readCampaign = (number: number) => request<Campaign>({ path: campaignPath(number) });
export const readCampaigns = () => request<Campaigns>({ path: operatorPaths.campaigns });
export const createCampaign = (body: CampaignRequest) =>
  post<Campaign>(operatorPaths.campaigns, body);
