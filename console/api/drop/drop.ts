/** Calls about the drop and its offers. What moves them are changes. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { OfferState } from '../../../contract/drop/states.ts';
import type { DropFacts, MemberDrop } from '../../../contract/operator/drop/drop-facts.ts';
import type { DropFile } from '../../../contract/operator/drop/drop-files.ts';
import type { OfferPage } from '../../../contract/operator/drop/listed-offers.ts';
import type { OfferFigures } from '../../../contract/operator/drop/offers.ts';
import type { OrderReport } from '../../../contract/operator/drop/orders.ts';
import type { Schedule } from '../../../contract/operator/drop/schedule.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import { request, requestFile } from '../request.ts';

const dropKey = ['drop'];
/** Members answer at any time. */
const REFRESH_MS = 15_000;
/** Reads a whole file of orders. */
const SLOW_MS = 60_000;

export const dropQuery = queryOptions({
  queryKey: [...dropKey, 'facts'],
  queryFn: ({ signal }) => request<DropFacts>({ path: operatorPaths.drop, signal }),
  refetchInterval: REFRESH_MS,
});

/** Steps that the server takes by itself. */
export const scheduleQuery = queryOptions({
  queryKey: [...dropKey, 'schedule'],
  queryFn: ({ signal }) => request<Schedule>({ path: operatorPaths.schedule, signal }),
  refetchInterval: REFRESH_MS,
});

export type OfferFilter = {
  /** null: any. */
  readonly state: OfferState | null;
  /** Empty: any member. */
  readonly text: string;
};

/** Page after page, newest first. */
export const offersQuery = ({ state, text }: OfferFilter) =>
  infiniteQueryOptions({
    queryKey: [...dropKey, 'offers', state, text],
    queryFn: ({ pageParam, signal }) =>
      request<OfferPage>({
        path: operatorPaths.listOffers,
        method: 'POST',
        body: {
          ...(state !== null && { state }),
          ...(text !== '' && { text }),
          ...(pageParam !== null && { after: pageParam }),
        },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

export const offerFiguresQuery = queryOptions({
  queryKey: [...dropKey, 'figures'],
  queryFn: ({ signal }) => request<OfferFigures>({ path: operatorPaths.offers, signal }),
});

/** One of the files of the last drop, as CSV. */
export async function exportDropFile(file: DropFile): Promise<Blob> {
  return await requestFile({ path: fillPath(operatorPaths.exportDrop, file) });
}

/** What an uploaded file of orders says about the passes; the first that need a look. */
export const ordersQuery = (importId: string) =>
  queryOptions({
    queryKey: [...dropKey, 'orders', importId],
    queryFn: ({ signal }) =>
      request<OrderReport>({
        path: fillPath(operatorPaths.importOrders, importId),
        signal,
        timeoutMs: SLOW_MS,
      }),
  });

/** Everything that was found in it, as CSV. */
export async function exportOrders(importId: string): Promise<Blob> {
  return await requestFile({ path: fillPath(operatorPaths.exportOrders, importId) });
}

export const memberDropQuery = (memberId: string) =>
  queryOptions({
    queryKey: [...dropKey, 'member', memberId],
    queryFn: ({ signal }) =>
      request<MemberDrop>({ path: fillPath(operatorPaths.memberDrop, memberId), signal }),
  });
