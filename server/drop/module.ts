import { HOUR_MS } from '../durations.ts';
import { addDatabaseGauges } from '../http/database-gauges.ts';
import type { Links } from '../members/links/links.ts';
import type { Module, Platform } from '../module.ts';
import type { Mail } from '../notifications/open-mail.ts';
import { thisIsTheLineOperation } from './copy/this-is-the-line.ts';
import { deleteOldAddresses } from './hand-over/parcel-store.ts';
import { askAddressesOperation, markMasksSentOperation } from './hand-over/parcels.ts';
import { openReconcile } from './hand-over/reconcile.ts';
import { addHandOverRoutes } from './hand-over/routes.ts';
import { addAnswerPage } from './offers/answer-page.ts';
import { addOfferLinkRoutes } from './offers/answer-routes.ts';
import { makeCodesOperation, openImportCodes } from './offers/codes.ts';
import { openExtendOffers } from './offers/extend-offers.ts';
import { getOfferCounts } from './offers/get-offers.ts';
import { OFFERS_EVERY_MS, openOfferSweep } from './offers/make-offers.ts';
import { openNotifyRunnersUp } from './offers/notify-runners-up.ts';
import { openOfferMask } from './offers/offer-by-hand.ts';
import { countPasses } from './offers/offer-store.ts';
import { addPassRoutes } from './offers/pass-routes.ts';
import { cancelPassOperation, reissuePassOperation, swapPassesOperation } from './offers/passes.ts';
import { pauseOffersOperation, resumeOffersOperation } from './offers/pause-offers.ts';
import {
  openScheduleStep,
  publishScheduleOperation,
  unscheduleStepOperation,
} from './schedule/scheduling.ts';
import { takeDueSteps } from './schedule/take-due-steps.ts';
import { amendDrawOperation } from './steps/amend-draw.ts';
import { openDropOperation } from './steps/close-drop.ts';
import { unfreezeDropOperation } from './steps/freeze.ts';
import { openSteps } from './steps/step-changes.ts';
import { allocateMasksOperation, releaseMasksOperation } from './stock/allocations.ts';
import { openRemoveSize, openSetStock, renameSizeOperation } from './stock/stock.ts';
import { openTills } from './till/open-tills.ts';
import { addNoticeRoute, addTillRoutes } from './till/routes.ts';
import { runTill } from './till/run-till.ts';
import { openSetTill } from './till/set-till.ts';
import { settlePaymentOperation } from './till/settle-payment.ts';
import { addDropViewRoutes } from './views/operator-routes.ts';
import { addDropRoutes } from './views/routes.ts';

const GAUGES = {
  waitlist_offers_open: 'Offers of the last drop that wait for an answer.',
  waitlist_passes_given: 'Passes of the last drop, used ones among them.',
};

export function openDrop(
  platform: Platform,
  {
    mail,
    links,
  }: { readonly mail: Pick<Mail, 'wake' | 'mayOffer' | 'sendToOperator'>; readonly links: Links },
): Module {
  const { config, brand, database, metrics, log, secretKey } = platform;
  const { publicUrl } = config;
  const tills = openTills({
    ...{ database, publicUrl, brandName: brand.name, language: brand.language, secretKey },
    ...{ shopUrl: config.shopUrl, fetch: (url, init) => fetch(url, init) },
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
