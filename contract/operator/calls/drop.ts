import { Type } from 'typebox';
import { DropFacts } from '../drop/drop-facts.ts';
import { DropFileRequest } from '../drop/drop-files.ts';
import { OfferListRequest, OfferPage } from '../drop/listed-offers.ts';
import {
  DoorPasses,
  OfferFigures,
  RedeemedPass,
  RedeemRequest,
  ScannedPass,
  ScanRequest,
  UndoScanRequest,
} from '../drop/offers.ts';
import { OrderExportRequest, OrderReport, OrderReportRequest } from '../drop/orders.ts';
import { Schedule } from '../drop/schedule.ts';
import { Money, TillTest, TillView } from '../drop/till.ts';
import { Allocations, MaskSizes } from '../masks.ts';
import type { CallDescriptions } from './call.ts';

export const dropCalls = {
  'GET sizes': {
    access: 'read',
    summary: 'Stock, allocated and available masks per size',
    answer: MaskSizes,
  },
  'GET allocations': {
    access: 'read',
    summary: 'Masks set aside: for whom, when, and whether they are released',
    answer: Allocations,
  },
  'GET drop': { access: 'read', summary: 'How the last drop stands', answer: DropFacts },
  'GET offers': {
    access: 'read',
    summary: 'How the offers of the last drop stand',
    answer: OfferFigures,
  },
  'POST listOffers': {
    access: 'read',
    summary: 'Offers of the last drop, in pages',
    body: OfferListRequest,
    answer: OfferPage,
  },
  'GET exportDrop': {
    access: 'export',
    summary: 'A file of a drop as CSV, of one moment',
    description:
      'Cells that a spreadsheet would take for a formula begin with an apostrophe, as in all ' +
      'exports: in the files for a shop, too.',
    querystring: DropFileRequest,
    file: { 'text/csv': Type.String() },
    refusals: [404],
  },
  'GET schedule': {
    access: 'read',
    summary: 'The steps that the last drop takes by itself',
    answer: Schedule,
  },
  'GET till': { access: 'read', summary: 'The till, without its keys', answer: TillView },
  'POST testTill': {
    access: 'owner',
    summary: 'Ask the till whether it is ready, and whether others could buy a mask',
    answer: TillTest,
    refusals: [409],
  },
  'GET money': {
    access: 'read',
    summary: 'What was paid for masks, by pass and in sum',
    answer: Money,
  },
  'POST redeemPass': {
    access: 'redeem',
    summary: 'Pay a pass by an order',
    description:
      'For the shop, before it accepts an order. Idempotent: the same order gets the same ' +
      'answer again. Another order of the same pass, and a pass that is cancelled or was used ' +
      'at a door, get 409.',
    body: RedeemRequest,
    answer: RedeemedPass,
    refusals: [404, 409],
  },
  'GET doorPasses': {
    access: 'redeem',
    summary: 'Passes of each drop, the last drop first, and how many are used',
    answer: DoorPasses,
  },
  'POST scanPass': {
    access: 'redeem',
    summary: 'Hand over the mask of a pass at a door, and say whose it is',
    description:
      'Idempotent for a scan. Of two scans the first to arrive gets the mask. Where the till ' +
      'says what is paid, only that is handed over.',
    body: ScanRequest,
    answer: ScannedPass,
    refusals: [404],
  },
  'POST undoScan': {
    access: 'redeem',
    summary: 'Undo a scan within a minute of the hand-over',
    description: 'Idempotent. After a minute: 409.',
    body: UndoScanRequest,
    answer: ScannedPass,
    refusals: [404, 409],
  },
  'GET importOrders': {
    access: 'owner',
    summary: 'Compare the orders of an uploaded file with the passes',
    description:
      'The file is uploaded like a list of members. Nothing is changed: the change ' +
      '`reconcile` applies it. The file is read anew for each page.',
    querystring: OrderReportRequest,
    answer: OrderReport,
    refusals: [404, 409],
  },
  'GET exportOrders': {
    access: 'owner',
    summary: 'The same as CSV: what was found about every order, pass and row',
    description: 'One backup or export at a time: 409 while another is running.',
    querystring: OrderExportRequest,
    file: { 'text/csv': Type.String() },
    refusals: [404, 409],
  },
} as const satisfies CallDescriptions;
