import type { OfferFilter } from '../../contract/drop/states.ts';
import type { DropFacts, MemberDrop } from '../../contract/operator/drop/drop-facts.ts';
import type { DropFile } from '../../contract/operator/drop/drop-files.ts';
import type { OfferPage } from '../../contract/operator/drop/listed-offers.ts';
import type {
  DoorPasses,
  OfferFigures,
  ScannedPass,
  ScanRequest,
  UndoScanRequest,
} from '../../contract/operator/drop/offers.ts';
import type { OrderReport } from '../../contract/operator/drop/orders.ts';
import type { Schedule } from '../../contract/operator/drop/schedule.ts';
import type { Money, TillTest, TillView } from '../../contract/operator/drop/till.ts';
import type { Allocations, MaskSizes } from '../../contract/operator/masks.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { post, read, readPages } from './queries.ts';
import { requestFile } from './request.ts';

const REFRESH_MS = 15_000;
const SLOW_MS = 60_000;

export const dropQuery = read<DropFacts>(operatorPaths.drop, REFRESH_MS);

export const scheduleQuery = read<Schedule>(operatorPaths.schedule, REFRESH_MS);

export const tillQuery = read<TillView>(operatorPaths.till, REFRESH_MS);

export const moneyQuery = read<Money>(operatorPaths.money, REFRESH_MS);

export const runTillTest = () => post<TillTest>(operatorPaths.testTill, undefined, SLOW_MS);

export const offersQuery = (state: OfferFilter | null, text: string) =>
  readPages<OfferPage>((after) => ({
    path: operatorPaths.listOffers,
    method: 'POST',
    body: {
      ...(state !== null && { state }),
      ...(text !== '' && { text }),
      ...(after !== null && { after }),
    },
  }));

/** A queue at a door waits no longer: the same scan is sent again. */
const DOOR_TIMEOUT_MS = 4_000;

export const doorPassesQuery = read<DoorPasses>(operatorPaths.doorPasses, REFRESH_MS);

export const scanPass = (scan: ScanRequest) =>
  post<ScannedPass>(operatorPaths.scanPass, scan, DOOR_TIMEOUT_MS);

export const undoScan = (scan: UndoScanRequest) =>
  post<ScannedPass>(operatorPaths.undoScan, scan, DOOR_TIMEOUT_MS);

export const offerFiguresQuery = read<OfferFigures>(operatorPaths.offers);

export const exportDropFile = (file: DropFile) =>
  requestFile({ path: fillPath(operatorPaths.exportDrop, file) });

export const ordersQuery = (importId: string) =>
  read<OrderReport>({
    path: fillPath(operatorPaths.importOrders, importId),
    timeoutMs: SLOW_MS,
  });

export const exportOrders = (importId: string) =>
  requestFile({ path: fillPath(operatorPaths.exportOrders, importId) });

export const memberDropQuery = (memberId: string) =>
  read<MemberDrop>(fillPath(operatorPaths.memberDrop, memberId));

export const sizesQuery = read<MaskSizes>(operatorPaths.sizes);

export const allocationsQuery = read<Allocations>(operatorPaths.allocations);
