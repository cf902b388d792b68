import {
  infiniteQueryOptions,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath, type PathValues } from '../../contract/paths.ts';
import { type Call, request } from './request.ts';

type Paths = typeof operatorPaths;

export function pathOf<Name extends keyof Paths>(
  name: Name,
  ...values: PathValues<Paths[Name]>
): string {
  return fillPath<Paths[Name]>(operatorPaths[name], ...values);
}

/** One answer. `refetchInterval`: milliseconds between two reads while it is in view. */
export function read<T>(call: string | Call, refetchInterval: number | false = false) {
  return queryOptions({
    queryKey: keyOf(call),
    queryFn: ({ signal }) => request<T>({ ...toCall(call), signal }),
    refetchInterval,
  });
}

export const useRead = <T>(call: string | Call, refetchInterval?: number) =>
  useQuery(read<T>(call, refetchInterval));

/** The rows of page after page: the last page said where the next begins, at its `cursor`. */
export function readRows<Row, Page extends { readonly next: string | number | null }>(
  first: string | Call,
  rowsOf: (page: Page) => readonly Row[],
  cursor = 'after',
) {
  const call = toCall(first);
  return infiniteQueryOptions({
    queryKey: keyOf(call),
    queryFn: ({ pageParam, signal }) => {
      if (pageParam === null) return request<Page>({ ...call, signal });
      const next = { [cursor]: pageParam as Page['next'] };
      const part = call.body
        ? { body: { ...call.body, ...next } }
        : { path: withQuery(call.path, next) };
      return request<Page>({ ...call, ...part, signal });
    },
    initialPageParam: null as Page['next'],
    getNextPageParam: ({ next }: Page): Page['next'] => next,
    select: ({ pages }) => pages.flatMap(rowsOf),
  });
}

export const useRows = <Row, Page extends { readonly next: string | number | null }>(
  ...list: Parameters<typeof readRows<Row, Page>>
) => useInfiniteQuery(readRows(...list));

/** The parts of the path, then the body: the key of a path begins those of all below it. */
function keyOf(call: string | Call): readonly unknown[] {
  const { path, body } = toCall(call);
  return [...path.split('/'), ...(body === undefined ? [] : [body])];
}

function toCall(call: string | Call): Call {
  return typeof call === 'string' ? { path: call } : call;
}

export function withQuery(
  path: string,
  values: Readonly<Record<string, string | number | null>>,
): string {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== '');
  if (given.length === 0) return path;
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

export const post = <T>(path: string, body?: object, timeoutMs?: number) =>
  request<T>({ method: 'POST', path, body, ...(timeoutMs !== undefined && { timeoutMs }) });

export const put = <T>(path: string, body: object) => request<T>({ method: 'PUT', path, body });

export const remove = (path: string) => request<void>({ method: 'DELETE', path });
