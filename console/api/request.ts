import { UNATTENDED_HEADER } from '../../contract/operator/paths.ts';
import { readJson } from '../../contract/read-json.ts';
import { isUnattended } from './attention.ts';

export class RequestError extends Error {
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  /** Seconds to wait before the next try, if the server asks for it; otherwise null. */
  readonly retryAfter: number | null;

  constructor(message: string, { status = null, retryAfter = null, cause }: Partial<RequestError>) {
    super(message, { cause });
    this.name = 'RequestError';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof RequestError && error.status === status;
}

export function isRefused(error: unknown): boolean {
  if (!(error instanceof RequestError) || error.status === null) return false;
  return error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 429;
}

export function messageOf(error: unknown): string {
  if (error === null) return '';
  return error instanceof RequestError ? error.message : 'Something went wrong in this page.';
}

const TIMEOUT_MS = 15_000;

export type Call = {
  readonly path: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: object | null | undefined;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
};

/** Rejects with a RequestError, or with the reason of the caller's abort. */
export async function request<T>({ timeoutMs = TIMEOUT_MS, ...call }: Call): Promise<T> {
  return await send({ ...call, timeoutMs }, async (response) => (await readJson(response)) as T);
}

export async function requestFile(call: Omit<Call, 'timeoutMs'>): Promise<Blob> {
  return await send(call, (response) => response.blob());
}

async function send<T>(
  { path, method = 'GET', body, signal, timeoutMs }: Call,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const deadline = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const call = new AbortController();
  const giveUp = () => call.abort();
  // The oldest browsers have no AbortSignal.any.
  for (const source of [deadline, signal]) source?.addEventListener('abort', giveUp);
  try {
    signal?.throwIfAborted();
    const response = await fetch(path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(isUnattended() && { [UNATTENDED_HEADER]: 'true' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: call.signal,
    });
    if (!response.ok) throw refusal(response, await readJson(response));
    return await read(response);
  } catch (cause) {
    if (cause instanceof RequestError) throw cause;
    signal?.throwIfAborted();
    throw new RequestError(
      deadline?.aborted
        ? `The server has not answered in ${(timeoutMs ?? 0) / 1000} seconds.`
        : 'The server cannot be reached. Check your connection.',
      { cause },
    );
  } finally {
    for (const source of [deadline, signal]) source?.removeEventListener('abort', giveUp);
  }
}

function refusal(response: Response, answer: unknown): RequestError {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new RequestError(readDetail(answer) ?? `The server answered ${response.status}.`, {
    status: response.status,
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  });
}

const FIELD = /^The field "(?:\w+\.)*(\w+)"/;

/** A person reads "drawn among", not the path of a field in JSON. */
function readDetail(answer: unknown): string | null {
  const detail =
    typeof answer === 'object' && answer !== null && 'detail' in answer ? answer.detail : null;
  if (typeof detail !== 'string' || detail.trim() === '') return null;
  return detail.replace(FIELD, (_, name) => `“${name.replaceAll('_', ' ')}”`);
}
