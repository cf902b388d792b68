import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import type { Method } from '../../contract/operator/calls/call.ts';
import type {
  CallAnswer,
  CallPlace,
  CallRequest,
  Given,
  OperatorCall,
} from '../../contract/operator/calls.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { request } from './request.ts';

type Options = {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Milliseconds between two reads while it is in view. */
  readonly refetchInterval?: number;
};
type Wanted<Name extends OperatorCall> = CallRequest<Name> & Options;

/** What any call may want. */
type Any = Options & {
  readonly at?: readonly (string | number)[];
  readonly query?: object;
  readonly body?: object;
};

const split = (name: string) => name.split(' ') as [Method, keyof typeof operatorPaths];

/** The path of a call, with the values of its query that are not empty. */
export function pathOf<Name extends OperatorCall>(name: Name, ...[wanted]: Given<CallPlace<Name>>) {
  return fill(name, wanted as Any);
}

function fill(name: OperatorCall, { at = [], query = {} }: Any = {}): string {
  const path = fillPath(operatorPaths[split(name)[1]], ...(at as []));
  const given = Object.entries(query).filter(([, value]) => value != null && value !== '');
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`;
}

/** Rejects with a RequestError. */
export function call<Name extends OperatorCall>(name: Name, ...[wanted]: Given<Wanted<Name>>) {
  return send<CallAnswer<Name>>(name, wanted as Any);
}

function send<Answer>(name: OperatorCall, wanted: Any = {}): Promise<Answer> {
  const { at: _at, query: _query, refetchInterval: _interval, ...rest } = wanted;
  return request({ ...rest, method: split(name)[0], path: fill(name, wanted) });
}

/** One answer. */
export function read<Name extends OperatorCall>(name: Name, ...[given]: Given<Wanted<Name>>) {
  const wanted = (given ?? {}) as Any;
  return queryOptions({
    queryKey: keyOf(name, wanted),
    queryFn: ({ signal }) => send<CallAnswer<Name>>(name, { ...wanted, signal }),
    refetchInterval: wanted.refetchInterval ?? false,
  });
}

export const useRead = <Name extends OperatorCall>(name: Name, ...wanted: Given<Wanted<Name>>) =>
  useQuery(read(name, ...wanted));

type Page = { readonly next: string | number | null };
type PagedCall = {
  [Name in OperatorCall]: CallAnswer<Name> extends Page ? Name : never;
}[OperatorCall];
/** The rows are the one list of a page. */
type RowOf<Answer> = Extract<Answer[keyof Answer], readonly unknown[]>[number];

/** The rows of page after page: the last page said where the next begins, at its `cursor`. */
export function readRows<Name extends PagedCall>(
  name: Name,
  first: Wanted<Name>,
  cursor: 'after' | 'before' = 'after',
) {
  const wanted = first as Any;
  const { body, query } = wanted;
  return infiniteQueryOptions({
    queryKey: keyOf(name, wanted),
    queryFn: ({ pageParam, signal }) => {
      const next = pageParam === null ? {} : { [cursor]: pageParam };
      const part = body ? { body: { ...body, ...next } } : { query: { ...query, ...next } };
      return send<CallAnswer<Name> & Page>(name, { ...wanted, ...part, signal });
    },
    initialPageParam: null as Page['next'],
    getNextPageParam: ({ next }): Page['next'] => next,
    select: ({ pages }) =>
      pages.flatMap(
        (page) => Object.values<unknown>(page).find(Array.isArray) as RowOf<CallAnswer<Name>>[],
      ),
  });
}

export const useRows = <Name extends PagedCall>(...list: Parameters<typeof readRows<Name>>) =>
  useInfiniteQuery(readRows(...list));

/** The parts of the path, then the body: the key of a path begins those of all below it. */
function keyOf(name: OperatorCall, wanted: Any): readonly unknown[] {
  return [...fill(name, wanted).split('/'), ...(wanted.body === undefined ? [] : [wanted.body])];
}
