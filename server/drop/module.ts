import { HOUR_MS } from '../durations.ts';
import { addDatabaseGauges } from '../http/database-gauges.ts';
import type { MailSending } from '../line/mails/mail-kinds.ts';
import type { OperatorMailer } from '../mail/delivery/direct-mail.ts';
import type { Links } from '../members/links/links.ts';
import type { Module, Platform } from '../module.ts';
import { askAddressesOperation, markMasksSentOperation } from './hand-over/parcels.ts';
import { openReconcile } from './hand-over/reconcile.ts';
import { addHandOverRoutes, addPassRoutes } from './hand-over/routes.ts';
import { openOfferMask } from './offers/make-offers.ts';
import {
  openExtendOffers,
  pauseOffersOperation,
  resumeOffersOperation,
} from './offers/move-offers.ts';
import { countPasses } from './offers/offer-store.ts';
import { deleteOldAddresses } from './passes/parcel-store.ts';
import { reissuePassOperation, swapPassesOperation } from './passes/passes.ts';
import { amendDrawOperation, announceDrawOperation } from './steps/announce-draw.ts';
import { closeDropOperation, openDropOperation } from './steps/close-drop.ts';
import { openFreezeDrop, unfreezeDropOperation } from './steps/freeze.ts';
import { openRelays } from './steps/relays.ts';
import {
  openScheduleStep,
  publishScheduleOperation,
  type StepOperations,
  unscheduleStepOperation,
} from './steps/scheduling.ts';
import { openSelectEntrants } from './steps/select-entrants.ts';
import { openStartOffers } from './steps/start-offers.ts';
import { OFFERS_EVERY_MS, openNotifyRunnersUp, openOfferSweep } from './steps/sweep-offers.ts';
import { takeDueSteps } from './steps/take-due-steps.ts';
import { thisIsTheLineOperation } from './steps/this-is-the-line.ts';
import { makeCodesOperation, openImportCodes } from './stock/codes.ts';
import {
  allocateMasksOperation,
  openRemoveSize,
  openSetStock,
  releaseMasksOperation,
  renameSizeOperation,
} from './stock/stock.ts';
import { openTills } from './till/open-tills.ts';
import { addNoticeRoute, addTillRoutes } from './till/routes.ts';
import { runTill } from './till/run-till.ts';
import { openSetTill } from './till/set-till.ts';
import { cancelPassOperation, settlePaymentOperation } from './till/settle-payment.ts';
import { addAnswerPage } from './views/answer-page.ts';
import { addOfferLinkRoutes } from './views/answer-routes.ts';
import { getOfferCounts } from './views/get-offers.ts';
import { addDropViewRoutes } from './views/operator-routes.ts';
import { addDropRoutes } from './views/routes.ts';

const openSteps = ({
  config,
  database,
}: Pick<Platform, 'config' | 'database'>): StepOperations => ({
  'freeze-drop': openFreezeDrop(database),
  'announce-draw': announceDrawOperation,
  'select-entrants': openSelectEntrants(database, openRelays(config.drandRelays)),
  'start-offers': openStartOffers(config),
  'close-drop': closeDropOperation,
});

const GAUGES = {
  waitlist_offers_open: 'Offers of the last drop that wait for an answer.',
  waitlist_passes_given: 'Passes of the last drop, used ones among them.',
};

export function openDrop(
  platform: Platform,
  { mail, links }: { readonly mail: MailSending & OperatorMailer; readonly links: Links },
): Module {
  const { config, brand, database, metrics, log, secretKey } = platform;
  const { publicUrl } = config;
  const tills = openTills({
    database,
    publicUrl,
    brandName: brand.name,
    language: brand.language,
    secretKey,
    shopUrl: config.shopUrl,
    fetch: (url, init) => fetch(url, init),
  });
  const steps = openSteps(platform);
  const owners = { database, mail, log, publicUrl, brandName: brand.name };
  addDatabaseGauges(metrics.registry, GAUGES, async () => {
    const counts = await getOfferCounts(database);
    return { waitlist_offers_open: counts.open, waitlist_passes_given: countPasses(counts) };
  });
  return {
    async addRoutes(server) {
      await server.register(async (scope) => {
        links.prepareScope(scope);
        addAnswerPage(scope, links, { ...platform, tills });
      });
      addDropRoutes(server, platform);
      addOfferLinkRoutes(server, platform, { tills, mail });
      await addNoticeRoute(server, { ...platform, tills });
    },
    addOperatorRoutes(operator, openDownload) {
      addDropViewRoutes(operator, platform);
      addPassRoutes(operator, { database, tills });
      addHandOverRoutes(operator, platform, openDownload);
      addTillRoutes(operator, { database, tills, publicUrl });
    },
    operations: {
      'set-stock': openSetStock(brand),
      'rename-size': renameSizeOperation,
      'remove-size': openRemoveSize(brand),
      'allocate-masks': allocateMasksOperation,
      'release-masks': releaseMasksOperation,
      ...steps,
      'unfreeze-drop': unfreezeDropOperation,
      'amend-draw': amendDrawOperation,
      'schedule-step': openScheduleStep(steps),
      'unschedule-step': unscheduleStepOperation,
      'publish-schedule': publishScheduleOperation,
      'open-drop': openDropOperation,
      'pause-offers': pauseOffersOperation,
      'resume-offers': resumeOffersOperation,
      'extend-offers': openExtendOffers(brand.language),
      'offer-mask': openOfferMask(mail),
      'import-codes': openImportCodes(brand),
      'make-codes': makeCodesOperation,
      'cancel-pass': cancelPassOperation,
      'ask-addresses': askAddressesOperation,
      'mark-masks-sent': markMasksSentOperation,
      'swap-passes': swapPassesOperation,
      reconcile: openReconcile(database),
      'reissue-pass': reissuePassOperation,
      'tell-others': openNotifyRunnersUp(brand),
      'set-till': openSetTill({ tills, secretKey }),
      'settle-payment': settlePaymentOperation,
      'this-is-the-line': thisIsTheLineOperation,
    },
    work: [
      {
        name: 'making offers',
        everyMs: OFFERS_EVERY_MS,
        acts: true,
        run: openOfferSweep(owners),
      },
      {
        name: 'deleting the addresses of masks',
        everyMs: HOUR_MS,
        run: () => deleteOldAddresses(database, config.addressDays),
      },
      {
        name: 'selling masks',
        everyMs: 1000,
        acts: true,
        run: () => runTill({ database, tills, log }),
      },
      {
        name: 'taking scheduled steps',
        everyMs: 1000,
        acts: true,
        run: () => takeDueSteps({ ...owners, steps }),
      },
    ],
  };
}
