/** One measured burst of requests against one server, closed loop. */
import autocannon from 'autocannon';

export type Load = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  /** Path and body of the next request. */
  readonly next: () => { readonly path: string; readonly body?: string; readonly headers?: Record<string, string> };
};

export type Measured = { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number };

/** Sends for `seconds` with `inFlight` connections. Throws when any answer is not 2xx: speed of refusals is no speed. */
export async function measure(
  load: Load,
  { seconds, inFlight }: { seconds: number; inFlight: number },
): Promise<Measured> {
  const result = await autocannon({
    url: load.url,
    connections: inFlight,
    duration: seconds,
    requests: [
      {
        method: load.method,
        setupRequest: (request) => {
          const { path, body, headers } = load.next();
          return {
            ...request,
            path,
            ...(body === undefined ? {} : { body }),
            headers: {
              ...request.headers,
              ...headers,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            },
          };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${load.url}: ${result.non2xx} answers were not 2xx, ${result.errors} requests failed`);
  }
  return { perSecond: result.requests.total / result.duration, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
