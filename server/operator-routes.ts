/** The operator API. No CORS, so that pages of other origins cannot use it. */
import type { Brand } from '../brand/brand-shape.ts';
import { addAccess } from './access/routes.ts';
import { openVerbs } from './all-operations.ts';
import { openDownloads } from './backup/downloads.ts';
import { addBackupRoutes } from './backup/routes.ts';
import { addChangeRoutes, addJoiningRoute } from './changes/routes.ts';
import type { Database } from './db/database.ts';
import { addHandOverRoutes } from './drop/hand-over/routes.ts';
import { addOfferRoutes } from './drop/offers/routes.ts';
import { addScheduleRoute } from './drop/schedule/routes.ts';
import { addMaskRoutes } from './drop/stock/routes.ts';
import { addCreditRoutes } from './fairness/queue/routes.ts';
import type { Limits } from './guard/limits/limits.ts';
import type { HttpServer, TokenCheck } from './http/http-server.ts';
import { logFailure } from './http/request-log.ts';
import type { StatusReader } from './line/get-status.ts';
import { addExportRoutes } from './members/exports/routes.ts';
import { openImportMembers } from './members/imports/import-members.ts';
import { openImportRuns } from './members/imports/import-runs.ts';
import { addImportRoutes } from './members/imports/routes.ts';
import { openAddressSearch } from './members/list/addresses/address-search.ts';
import { countMembers } from './members/list/list-members.ts';
import { addMemberListRoutes } from './members/list/routes.ts';
import { addMemberRoutes } from './members/routes.ts';
import { openRecipientFinder } from './notifications/campaigns/find-recipients.ts';
import { addCampaignRoutes } from './notifications/campaigns/routes.ts';
import { openCancelCampaign, openSendCampaign } from './notifications/campaigns/send-campaign.ts';
import { addMailRoutes } from './notifications/lists/routes.ts';
import type { Mail } from './notifications/open-mail.ts';
import { addOverviewRoutes } from './overview/routes.ts';
import { addRewardRoutes } from './rewards/routes.ts';
import type { Webhooks } from './webhooks/open-webhooks.ts';
import { addWebhookRoutes } from './webhooks/routes.ts';

type OperatorOptions = {
  readonly database: Database;
  readonly brand: Brand;
  readonly dataDir: string;
  readonly referralCredit: 'join' | 'confirm';
  readonly secretKey: string;
  readonly getStatus: StatusReader['getStatus'];
  readonly publicUrl: string;
  readonly mail: Pick<
    Mail,
    'sendTest' | 'sendToOperator' | 'previewCampaign' | 'wake' | 'readBacklog'
  >;
  readonly limits: Limits;
  readonly webhooks: Webhooks;
  readonly checkToken: TokenCheck;
};

export async function addOperatorRoutes(
  server: HttpServer,
  options: OperatorOptions,
): Promise<void> {
  await server.register(async (operator: HttpServer) => {
    operator.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
    });
    addAccess(operator, { ...options, brandName: options.brand.name, log: server.log });
    const openDownload = openDownloads(operator, options.dataDir);
    addOverviewRoutes(operator, options);
    addMemberRoutes(operator, options);
    addExportRoutes(operator, { ...options, openDownload });
    const { database, brand, mail } = options;
    const addresses = openAddressSearch(database);
    const finder = openRecipientFinder({
      database,
      brand,
      onFound: mail.wake,
      onError: (error) =>
        logFailure(operator.log, 'error', error, 'finding the recipients of a campaign failed'),
    });
    operator.addHook('onClose', async () => {
      await Promise.all([addresses.close(), finder.close()]);
    });
    const runs = openImportRuns(database);
    operator.addHook('preClose', async () => runs.close());
    addMemberListRoutes(operator, { ...options, addresses });
    addCreditRoutes(operator, options);
    addMailRoutes(operator, options);
    addMaskRoutes(operator, options);
    addRewardRoutes(operator, { ...options, openDownload });
    addOfferRoutes(operator, options);
    addHandOverRoutes(operator, { ...options, openDownload });
    addScheduleRoute(operator, options);
    addCampaignRoutes(operator, options);
    const verbs = {
      ...openVerbs(options),
      'send-campaign': openSendCampaign({
        database,
        countMembers: (filter) => countMembers({ database, brand, addresses }, filter),
        onSend: finder.wake,
      }),
      'cancel-campaign': openCancelCampaign(),
      'import-members': openImportMembers({ ...options, runs }),
    };
    addChangeRoutes(operator, { database, verbs });
    addJoiningRoute(operator, database);
    addWebhookRoutes(operator, options.webhooks);
    addImportRoutes(operator, database);
    addBackupRoutes(operator, { ...options, openDownload });
  });
}
