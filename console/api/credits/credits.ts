/** Calls about credits that wait for a decision. Decisions are changes. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  CreditKinds,
  CreditQueue,
  HeldCredits,
  WaitingCredits,
} from '../../../contract/operator/credits/credits.ts';
import { fillPath, operatorPaths } from '../../../contract/operator/paths.ts';
import { request } from '../request.ts';

const creditsKey = ['credits'];
const REFRESH_MS = 60_000;

export type QueueFilter = {
  /** Empty: any. */
  readonly rule: string;
  readonly isSecondLook: boolean;
};

/** Codes with held credits, page after page. */
export const creditQueueQuery = ({ rule, isSecondLook }: QueueFilter) =>
  infiniteQueryOptions({
    queryKey: [...creditsKey, 'queue', rule, isSecondLook],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...(rule !== '' && { rule }),
        ...(isSecondLook && { second_look: 'asked' }),
        ...(pageParam !== null && { after: pageParam }),
      });
      return request<CreditQueue>({ path: `${operatorPaths.credits}?${query}`, signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

/** The held credits of the code of this member. */
export const heldCreditsQuery = (memberId: string) =>
  infiniteQueryOptions({
    queryKey: [...creditsKey, 'held', memberId],
    queryFn: ({ pageParam, signal }) => {
      const path = fillPath(operatorPaths.creditsOfCode, memberId);
      return request<HeldCredits>({ path: `${path}${pageParam && `?after=${pageParam}`}`, signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

export const waitingCreditsQuery = queryOptions({
  queryKey: [...creditsKey, 'waiting'],
  queryFn: ({ signal }) => request<WaitingCredits>({ path: operatorPaths.waitingCredits, signal }),
  refetchInterval: REFRESH_MS,
});

export const creditKindsQuery = queryOptions({
  queryKey: [...creditsKey, 'kinds'],
  queryFn: ({ signal }) => request<CreditKinds>({ path: operatorPaths.creditKinds, signal }),
});
