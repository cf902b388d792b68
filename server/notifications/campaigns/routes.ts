import { Type } from 'typebox';
import { MAX_CAMPAIGN_LENGTH } from '../../../contract/operator/limits.ts';
import {
  Campaign,
  CampaignNumber,
  CampaignPreview,
  Campaigns,
} from '../../../contract/operator/mail/campaigns.ts';
import { TestMail } from '../../../contract/operator/mails.ts';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { ErrorBody, REFUSED_BODY } from '../../../contract/schemas.ts';
import { NOTHING, operatorRoutes } from '../../access/route-schemas.ts';
import { BODY_LIMIT_BYTES } from '../../http/create-server.ts';
import type { HttpServer } from '../../http/http-server.ts';
import type { Platform } from '../../module.ts';
import { frameMail } from '../dev/mail-page.ts';
import { sendTest } from '../lists/send-test.ts';
import type { Mail } from '../open-mail.ts';
import {
  createDraft,
  editDraft,
  getCampaign,
  getParsedText,
  listCampaigns,
  removeDraft,
} from './drafts.ts';

type CampaignRouteOptions = Platform & {
  readonly mail: Pick<Mail, 'previewCampaign' | 'sendTest'>;
};

const route = operatorRoutes('Campaigns');
/** A character is 12 bytes at most, as a pair of escapes. The default holds all other fields. */
const BODY_BYTES = BODY_LIMIT_BYTES + 12 * MAX_CAMPAIGN_LENGTH;
const REFUSED = { ...REFUSED_BODY, 404: ErrorBody, 409: ErrorBody } as const;

export function addCampaignRoutes(server: HttpServer, platform: CampaignRouteOptions): void {
  const { database, mail } = platform;
  const { publicUrl } = platform.config;

  server.get(
    operatorPaths.campaigns,
    route('read', 'GET campaigns', {
      description: 'In pages, newest first, with how many were sent, wait and failed.',
      response: { 200: Campaigns, 422: ErrorBody },
    }),
    ({ query: { before } }) =>
      listCampaigns(database, before === undefined ? undefined : Number(before)),
  );

  server.post(
    operatorPaths.campaigns,
    {
      ...route('write', 'POST campaigns', {
        description: 'A draft: nothing is sent. The change "send-campaign" sends it.',
        response: { 201: Campaign, ...REFUSED_BODY },
      }),
      bodyLimit: BODY_BYTES,
    },
    async ({ actor, body }) => await createDraft(platform, actor, body),
  );

  server.get(
    operatorPaths.campaign,
    route('read', 'GET campaign', {
      params: CampaignNumber,
      response: { 200: Campaign, 404: ErrorBody, 422: ErrorBody },
    }),
    ({ params }) => getCampaign(database, Number(params.campaign)),
  );

  server.put(
    operatorPaths.campaign,
    {
      ...route('write', 'PUT campaign', {
        params: CampaignNumber,
        response: { 200: Campaign, ...REFUSED },
      }),
      bodyLimit: BODY_BYTES,
    },
    ({ actor, body, params }) => editDraft(platform, actor, Number(params.campaign), body),
  );

  server.delete(
    operatorPaths.campaign,
    route('write', 'DELETE campaign', {
      params: CampaignNumber,
      response: { 204: NOTHING, 404: ErrorBody, 409: ErrorBody, 422: ErrorBody },
    }),
    async ({ actor, params }) => {
      await removeDraft(database, actor, Number(params.campaign));
    },
  );

  server.get(
    operatorPaths.campaignPreview,
    route('read', 'GET campaignPreview', {
      description: 'With made-up numbers.',
      params: CampaignNumber,
      response: { 200: CampaignPreview, 404: ErrorBody, 422: ErrorBody },
    }),
    async ({ params }) => {
      const { subject, text } = await preview(params.campaign);
      return { subject, text };
    },
  );

  server.get(
    operatorPaths.campaignHtml,
    route('read', 'GET campaignHtml', {
      description: 'With made-up numbers. For a frame: without scripts, and of no origin.',
      params: CampaignNumber,
      response: { 200: Type.String(), 404: ErrorBody, 422: ErrorBody },
    }),
    async ({ params }, reply) => {
      const { html } = await preview(params.campaign);
      return frameMail(reply, publicUrl, html);
    },
  );

  server.post(
    operatorPaths.testCampaign,
    route('write', 'POST testCampaign', {
      description:
        'With made-up numbers, at once. Says what the mail server answered. An hour has 20 test ' +
        "mails to addresses that are not operators'.",
      params: CampaignNumber,
      response: { 200: TestMail, ...REFUSED, 429: ErrorBody },
    }),
    async ({ actor, body, params }, reply) => {
      const campaign = { id: Number(params.campaign), rendered: await preview(params.campaign) };
      return await sendTest(platform, reply, { actor, email: body.email, campaign });
    },
  );

  async function preview(id: string) {
    return mail.previewCampaign(await getParsedText(database, Number(id)));
  }
}
