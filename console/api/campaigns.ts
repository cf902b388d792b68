/** Calls about mails to a part of the line. */
import { queryOptions } from '@tanstack/react-query';
import type {
  Campaign,
  CampaignEdit,
  CampaignPreview,
  CampaignRequest,
  Campaigns,
} from '../../contract/operator/mail/campaigns.ts';
import type { TestMail } from '../../contract/operator/mails.ts';
import type { MemberFilter } from '../../contract/operator/member-filter.ts';
import type { MemberCount } from '../../contract/operator/member-list.ts';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import { request } from './request.ts';

/** While mails leave. */
const POLL_MS = 2_000;
/** A mail server that hangs is reported after half a minute. */
const TEST_TIMEOUT_MS = 60_000;

export const campaignsKey = ['campaigns'];

/** Campaigns before this number; empty: from the newest one. */
export const campaignsQuery = (before: string) =>
  queryOptions({
    queryKey: [...campaignsKey, 'list', before],
    queryFn: ({ signal }) => {
      const query = before === '' ? '' : `?before=${encodeURIComponent(before)}`;
      return request<Campaigns>({ path: operatorPaths.campaigns + query, signal });
    },
    refetchInterval: ({ state }) =>
      state.data?.campaigns.some((one) => one.state === 'sending') ? POLL_MS : false,
  });

export const campaignQuery = (number: number) =>
  queryOptions({
    queryKey: campaignKey(number),
    queryFn: ({ signal }) =>
      request<Campaign>({ path: fillPath(operatorPaths.campaign, String(number)), signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'sending' ? POLL_MS : false),
  });

export const campaignKey = (number: number) => [...campaignsKey, 'one', number];

/** The plain text of the mail. Each revision is another one. */
export const campaignTextQuery = ({ campaign, revision }: Campaign) =>
  queryOptions({
    queryKey: [...campaignsKey, 'text', campaign, revision],
    queryFn: ({ signal }) =>
      request<CampaignPreview>({
        path: fillPath(operatorPaths.campaignPreview, String(campaign)),
        signal,
      }),
  });

export const recipientsQuery = (filter: MemberFilter) =>
  queryOptions({
    queryKey: ['members', 'count', filter],
    queryFn: ({ signal }) =>
      request<MemberCount>({
        method: 'POST',
        path: operatorPaths.countMembers,
        body: { filter },
        signal,
      }),
  });

/** Of the mail as HTML, for a frame. */
export const campaignHtmlPath = ({ campaign, revision }: Campaign) =>
  `${fillPath(operatorPaths.campaignHtml, String(campaign))}?revision=${revision}`;

export const createCampaign = (body: CampaignRequest) =>
  request<Campaign>({ method: 'POST', path: operatorPaths.campaigns, body });

export const saveCampaign = (number: number, body: CampaignEdit) =>
  request<Campaign>({
    method: 'PUT',
    path: fillPath(operatorPaths.campaign, String(number)),
    body,
  });

export const deleteCampaign = (number: number) =>
  request<void>({
    method: 'DELETE',
    path: fillPath(operatorPaths.campaign, String(number)),
  });

export const testCampaign = (number: number, email: string) =>
  request<TestMail>({
    method: 'POST',
    path: fillPath(operatorPaths.testCampaign, String(number)),
    body: { email },
    timeoutMs: TEST_TIMEOUT_MS,
  });
