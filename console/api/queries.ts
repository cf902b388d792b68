import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Call, request } from './request.ts';

/** One answer. `refetchInterval`: milliseconds between two reads while it is in view. */
export function read<T>(call: string | Call, refetchInterval: number | false = false) {
  return queryOptions({
    queryKey: keyOf(call),
    queryFn: ({ signal }) => request<T>({ ...toCall(call), signal }),
    refetchInterval,
  });
}

/** Page after page: `callOf` gets what the last page said about the next, first null. */
export function readPages<Page extends { readonly next: string | number | null }>(
  callOf: (after: Page['next']) => string | Call,
) {
  return infiniteQueryOptions({
    queryKey: keyOf(callOf(null)),
    queryFn: ({ pageParam, signal }) =>
      request<Page>({ ...toCall(callOf(pageParam as Page['next'])), signal }),
    initialPageParam: null as Page['next'],
    getNextPageParam: ({ next }: Page): Page['next'] => next,
  });
}

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
  const known = Object.entries(values).filter(([, value]) => value !== null && value !== '');
  if (known.length === 0) return path;
  return `${path}?${new URLSearchParams(known.map(([name, value]) => [name, String(value)]))}`;
}

export const post = <T>(path: string, body?: unknown, timeoutMs?: number) =>
  request<T>({ method: 'POST', path, body, ...(timeoutMs !== undefined && { timeoutMs }) });

export const put = <T>(path: string, body: unknown) => request<T>({ method: 'PUT', path, body });

export const remove = (path: string) => request<void>({ method: 'DELETE', path });
