import { MAX_CAMPAIGN_LENGTH } from '../../../contract/operator/limits.ts';
import { addCall } from '../../access/add-call.ts';
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

/** A character is 12 bytes at most, as a pair of escapes. The default holds all other fields. */
const BODY_BYTES = BODY_LIMIT_BYTES + 12 * MAX_CAMPAIGN_LENGTH;

export function addCampaignRoutes(server: HttpServer, platform: CampaignRouteOptions): void {
  const { database, mail } = platform;
  const { publicUrl } = platform.config;

  addCall(server, 'GET campaigns', ({ query: { before } }) =>
    listCampaigns(database, before === undefined ? undefined : Number(before)),
  );

  addCall(
    server,
    'POST campaigns',
    async ({ actor, body }) => await createDraft(platform, actor, body),
    { bodyLimit: BODY_BYTES },
  );

  addCall(server, 'GET campaign', ({ params }) => getCampaign(database, Number(params.campaign)));

  addCall(
    server,
    'PUT campaign',
    ({ actor, body, params }) => editDraft(platform, actor, Number(params.campaign), body),
    { bodyLimit: BODY_BYTES },
  );

  addCall(server, 'DELETE campaign', async ({ actor, params }) => {
    await removeDraft(database, actor, Number(params.campaign));
  });

  addCall(server, 'GET campaignPreview', async ({ params }) => {
    const { subject, text } = await preview(params.campaign);
    return { subject, text };
  });

  addCall(server, 'GET campaignHtml', async ({ params }, reply) => {
    const { html } = await preview(params.campaign);
    return frameMail(reply, publicUrl, html);
  });

  addCall(server, 'POST testCampaign', async ({ actor, body, params }, reply) => {
    const campaign = { id: Number(params.campaign), rendered: await preview(params.campaign) };
    return await sendTest(platform, reply, { actor, email: body.email, campaign });
  });

  async function preview(id: string) {
    return mail.previewCampaign(await getParsedText(database, Number(id)));
  }
}
