import { readJson } from '../../contract/read-json.ts';
import { ApiError, readErrorBody } from './api-error.ts';

const TIMEOUT_MS = 15_000;

export type CallOptions = {
  /** Absent for a GET request, which the page's inline script may have started. */
  readonly post?: {
    readonly method?: 'PUT';
    readonly body: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly signal?: AbortSignal;
};

declare global {
  var startedCalls: Record<string, Promise<Response> | undefined> | undefined;
}

/** Rejects with an ApiError, with `fallback` if there is no answer, or the reason of the abort. */
export async function request<T>(
  path: string,
  fallback: string,
  isExpected: (body: unknown) => body is T,
  { post, signal }: CallOptions = {},
): Promise<T> {
  signal?.throwIfAborted();
  // The oldest browsers have no AbortSignal.any.
  const call = new AbortController();
  const giveUp = () => call.abort();
  const timer = setTimeout(giveUp, TIMEOUT_MS);
  signal?.addEventListener('abort', giveUp);

  async function ask(): Promise<T> {
    const init = { ...(post && initOf(post)), signal: call.signal };
    const response = await ((!post && takeStartedCall(path)) || fetch(path, init));
    const { status } = response;
    const body = await readJson(response);
    if (!response.ok) throw new ApiError(fallback, { status, ...readErrorBody(body) });
    if (!isExpected(body)) throw new ApiError(fallback, { status });
    return body;
  }

  try {
    return await Promise.race([ask(), rejectionBy(call.signal)]);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    signal?.throwIfAborted();
    throw new ApiError(fallback, { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

function takeStartedCall(path: string): Promise<Response> | undefined {
  const call = globalThis.startedCalls?.[path];
  if (call) delete globalThis.startedCalls?.[path];
  return call;
}

function rejectionBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

function initOf({ method, body, headers }: NonNullable<CallOptions['post']>): RequestInit {
  return {
    method: method ?? 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}
