import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  Campaign,
  CampaignEdit,
  CampaignPreview,
  CampaignRequest,
  Campaigns,
} from '../../contract/operator/mail/campaigns.ts';
import type { TestMail } from '../../contract/operator/mails.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { post, put, read, readPages, remove, withQuery } from './queries.ts';
import { request } from './request.ts';

const POLL_MS = 2_000;
/** A mail server that hangs is reported after half a minute. */
const TEST_TIMEOUT_MS = 60_000;

const pathOf = (number: number) => fillPath(operatorPaths.campaign, String(number));

export const campaignsQuery = infiniteQueryOptions({
  ...readPages<Campaigns>((before) => withQuery(operatorPaths.campaigns, { before })),
  refetchInterval: ({ state }) => {
    const campaigns = state.data?.pages.flatMap((page) => page.campaigns) ?? [];
    return campaigns.some((one) => one.state === 'sending') ? POLL_MS : false;
  },
});

export const campaignQuery = (number: number) =>
  queryOptions({
    ...read<Campaign>(pathOf(number)),
    refetchInterval: ({ state }) => (state.data?.state === 'sending' ? POLL_MS : false),
  });

export const campaignTextQuery = ({ campaign, revision }: Campaign) =>
  read<CampaignPreview>(
    withQuery(fillPath(operatorPaths.campaignPreview, String(campaign)), { revision }),
  );

export const campaignHtmlPath = ({ campaign, revision }: Campaign) =>
  withQuery(fillPath(operatorPaths.campaignHtml, String(campaign)), { revision });

export const newCampaignQuery = queryOptions({
  queryKey: ['new campaign'],
  queryFn: () => null,
  initialData: null,
});

export const readCampaign = (number: number) => request<Campaign>({ path: pathOf(number) });
export const readCampaigns = () => request<Campaigns>({ path: operatorPaths.campaigns });
export const createCampaign = (body: CampaignRequest) =>
  post<Campaign>(operatorPaths.campaigns, body);
export const saveCampaign = (number: number, body: CampaignEdit) =>
  put<Campaign>(pathOf(number), body);
export const deleteCampaign = (number: number) => remove(pathOf(number));

export const testCampaign = (number: number, email: string) =>
  post<TestMail>(fillPath(operatorPaths.testCampaign, String(number)), { email }, TEST_TIMEOUT_MS);
